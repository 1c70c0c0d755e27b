import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('renderer.js', import.meta.url))
// One is computed, the next one is there already.
const AT_ONCE = 2
const ATTEMPTS = 3

/** Processes that do nothing but compute panoramas. */
export function openPool (size) {
  const renderers = new Set()
  const waiting = []
  let lastId = 0
  let closed = false

  function start () {
    if (closed) return
    const startedAt = performance.now()
    const child = fork(file, { serialization: 'advanced' })
    const renderer = { child, jobs: new Map(), gone: false }
    renderers.add(renderer)
    child.on('message', ({ id, view, error }) => {
      const job = renderer.jobs.get(id)
      if (!job) return
      renderer.jobs.delete(id)
      if (error) job.reject(new Error(error))
      else job.resolve(view)
      feed()
    })
    const end = () => {
      if (renderer.gone) return
      renderer.gone = true
      renderers.delete(renderer)
      // No client has seen anything of these yet, so another one may do them. One that kills each of them is given up.
      for (const job of [...renderer.jobs.values()].reverse()) giveBack(job, waiting)
      renderer.jobs.clear()
      if (performance.now() - startedAt < 500) setTimeout(start, 300)
      else start()
      feed()
    }
    child.on('exit', end)
    child.on('error', end)
    feed()
  }

  function feed () {
    while (waiting.length > 0) {
      const idlest = idlestOf(renderers)
      if (!idlest) return
      const job = waiting.shift()
      job.attempts++
      idlest.jobs.set(job.id, job)
      idlest.child.send({ id: job.id, x: job.x, y: job.y }, () => {})
    }
  }

  for (let i = 0; i < size; i++) start()

  return {
    render: (x, y) => new Promise((resolve, reject) => {
      waiting.push({ id: ++lastId, x, y, attempts: 0, resolve, reject })
      feed()
    }),
    close () {
      closed = true
      for (const { child } of renderers) child.disconnect()
    }
  }
}

/** @param {any} job of a renderer that has ended @param {any[]} waiting */
function giveBack (job, waiting) {
  if (job.attempts < ATTEMPTS) waiting.unshift(job)
  else job.reject(new Error('the renderer ended'))
}

/** The one with the fewest jobs, if it may have another. */
function idlestOf (renderers) {
  let idlest
  for (const renderer of renderers) {
    const { child, jobs } = renderer
    if (jobs.size < AT_ONCE && child.connected && !(jobs.size >= idlest?.jobs.size)) idlest = renderer
  }
  return idlest
}
