import { whileSeen } from '../../http/browser.js'

/** The server sends something every 15 s: a connection that is silent for longer is dead. */
const silenceMs = 40_000

/**
 * Follows the room while its page is visible: by fetch, since an EventSource can't carry a secret.
 *
 * @typedef {object} Follower
 * @property {Record<string, string>} [headers]
 * @property {(room: any) => void} onRoom the newest snapshot
 * @property {(sentence: string) => void} onConnection empty while connected; else why not
 *
 * @param {string} path
 * @param {Follower} follower
 */
export function follow (path, follower) {
  whileSeen(() => {
    const controller = new AbortController()
    keepReading(path, follower, controller.signal)
    return () => controller.abort()
  })
}

/** @param {string} path @param {Follower} follower @param {AbortSignal} signal */
async function keepReading (path, follower, signal) {
  const { onConnection } = follower
  while (!signal.aborted) {
    try {
      await read(path, follower, signal)
    } catch (error) {
      // A retry would be refused, too.
      if (error.isRefusal && !signal.aborted) return onConnection(error.message)
    }
    if (signal.aborted) return
    onConnection('The room doesn’t answer. This page reconnects by itself.')
    // Not all of them at the same moment.
    await new Promise((resolve) => setTimeout(resolve, 500 + 1000 * Math.random()))
  }
}

/** @param {string} path @param {Follower} follower @param {AbortSignal} signal */
async function read (path, { headers, onRoom, onConnection }, signal) {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  try {
    const answer = await fetch(path, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    if (!answer.ok || answer.body === null) {
      const { error } = await answer.json().catch(() => ({}))
      throw Object.assign(new Error(error), { isRefusal: error !== undefined && answer.status < 429 })
    }
    onConnection('')
    let rest = ''
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      const events = (rest + value).split('\n\n')
      rest = events.pop() ?? ''
      // Each is complete: only the last one matters.
      const [, json] = events.map((event) => /^data: (.*)$/m.exec(event) ?? []).findLast(([found]) => found) ?? []
      if (json !== undefined) onRoom(JSON.parse(json))
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The instructor's secret is in the fragment of their link: the tab keeps it, and the address bar doesn't show it. */
export function takeSecret () {
  if (location.hash.length > 1) sessionStorage.setItem('secret', location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  // The link again, in the same tab.
  window.addEventListener('hashchange', () => location.reload())
  return sessionStorage.getItem('secret') ?? ''
}
