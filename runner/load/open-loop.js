import http from 'node:http'

/**
 * @typedef {import('./closed-loop.js').RawAnswer} RawAnswer
 * @typedef {import('./closed-loop.js').Problem} Problem
 *
 * @typedef {object} OpenLoopResult
 * @property {number[]} latencies ms from the moment at which a request was due to its whole answer
 * @property {number[]} lateness ms by which each request left later than it was due: the sender's own fault
 * @property {Problem[]} problems
 */

/**
 * Sends requests at fixed moments, whether or not the earlier ones were answered, each on a connection that is free.
 * A latency counts from the moment at which the request was due, so that a server that stalls cannot hide the requests
 * that would have come meanwhile (coordinated omission).
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {number} options.rate requests/s
 * @param {() => import('../catalogue/lesson.js').Item} options.next
 * @param {(answer: RawAnswer, due: number) => void} options.onAnswer due: ms, when its request should have left
 * @param {number} [options.answerTimeoutMs]
 * @returns {{ stop: () => Promise<OpenLoopResult> }} stop: sends nothing more and waits for what is under way
 */
export function startOpenLoop ({ port, rate, next, onAnswer, answerTimeoutMs = 10_000 }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  const intervalMs = 1000 / rate
  const startedAt = performance.now()
  /** @type {number[]} */
  const latencies = []
  /** @type {number[]} */
  const lateness = []
  /** @type {Problem[]} */
  const problems = []
  /** @type {Promise<void>[]} */
  const underway = []
  let sent = 0
  /** @type {NodeJS.Timeout} */
  let timer

  const schedule = () => {
    timer = setTimeout(() => {
      for (let due = dueAt(sent); due <= performance.now(); due = dueAt(sent)) {
        sent++
        lateness.push(performance.now() - due)
        underway.push(ask(due))
      }
      schedule()
    }, Math.max(0, dueAt(sent) - performance.now()))
  }
  const dueAt = (/** @type {number} */ number) => startedAt + number * intervalMs

  /** @param {number} due */
  const ask = (due) => new Promise((/** @type {(value: void) => void} */ resolve) => {
    const item = next()
    const { method = 'GET', path, headers, json } = item
    const sentAt = performance.now()
    const fail = (/** @type {Problem['kind']} */ kind, /** @type {string} */ message) => {
      clearTimeout(limit)
      problems.push({ kind, message: `${method} ${path}: ${message}` })
      // A request that never got its answer was at least this slow.
      latencies.push(performance.now() - due)
      req.destroy()
      resolve()
    }
    const limit = setTimeout(() => fail('no answer', `no answer within ${answerTimeoutMs / 1000} s.`), answerTimeoutMs)
    const req = http.request({ host: '127.0.0.1', port, method, path, headers: { Connection: 'keep-alive', ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers }, agent })
    let failed = false
    const failOnce = (/** @type {Problem['kind']} */ kind, /** @type {string} */ message) => {
      if (!failed) fail(kind, message)
      failed = true
    }
    req.on('error', (/** @type {NodeJS.ErrnoException} */ error) => failOnce(error.code === 'ECONNREFUSED' ? 'refused' : 'closed', `the connection was lost (${error.code ?? error.message}).`))
    req.on('response', (res) => {
      /** @type {Buffer[]} */
      const chunks = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('aborted', () => failOnce('cut', 'the answer was cut.'))
      res.on('end', () => {
        if (failed || !res.complete) return
        clearTimeout(limit)
        const receivedAt = performance.now()
        latencies.push(receivedAt - due)
        onAnswer({ item, status: res.statusCode ?? 0, rawHeaders: res.rawHeaders, chunks, sentAt, receivedAt }, due)
        resolve()
      })
    })
    req.end(json === undefined ? undefined : JSON.stringify(json))
  })

  schedule()
  return {
    stop: async () => {
      clearTimeout(timer)
      await Promise.all(underway)
      agent.destroy()
      return { latencies, lateness, problems }
    }
  }
}
