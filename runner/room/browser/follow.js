import { whileSeen } from '../../http/browser.js'

/** The server says something every 15 s: a connection that is silent for longer is none. */
const silenceMs = 40_000

/**
 * Follows the room while somebody looks: by fetch, since an EventSource carries no secret.
 *
 * @param {string} path
 * @param {object} given
 * @param {Record<string, string>} [given.headers]
 * @param {(room: any) => void} given.onRoom the newest snapshot
 * @param {(sentence: string) => void} given.onConnection empty while it holds; else why not
 */
export function follow (path, { headers, onRoom, onConnection }) {
  whileSeen(() => {
    const controller = new AbortController()
    keepReading(path, { headers, onRoom, onConnection, signal: controller.signal })
    return () => controller.abort()
  })
}

async function keepReading (path, { onConnection, signal, ...given }) {
  while (!signal.aborted) {
    try {
      await read(path, { ...given, onOpen: () => onConnection(''), signal })
    } catch (error) {
      // To be refused once more helps nobody.
      if (error.isRefusal && !signal.aborted) return onConnection(error.message)
    }
    if (signal.aborted) return
    onConnection('The room does not answer. This page comes back by itself as soon as it does.')
    // Not all of them at the same moment.
    await new Promise((resolve) => setTimeout(resolve, 500 + 1000 * Math.random()))
  }
}

async function read (path, { headers, onRoom, onOpen, signal }) {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  try {
    const answer = await fetch(path, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    if (!answer.ok) {
      const { error } = await answer.json().catch(() => ({}))
      throw Object.assign(new Error(error), { isRefusal: error !== undefined && answer.status < 429 })
    }
    onOpen()
    let rest = ''
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      const events = (rest + value).split('\n\n')
      rest = events.pop()
      // Each is whole: the last one says it all.
      const [, json] = events.map((event) => /^data: (.*)$/m.exec(event) ?? []).findLast(([found]) => found) ?? []
      if (json !== undefined) onRoom(JSON.parse(json))
    }
  } finally {
    clearTimeout(timer)
  }
}
