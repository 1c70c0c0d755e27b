/**
 * @typedef {ReturnType<typeof createAsk>} Ask asks the server to do something; default POST. It rejects with the
 *   server's own sentence, and with the name of the `field` that it's about, if any
 *
 * @param {Record<string, string>} headers that authorize the request
 * @param {string} silence a sentence for when there is no answer
 */
export function createAsk (headers, silence) {
  return async (/** @type {string} */ path, /** @type {{ method?: string, body?: unknown }} */ options = {}) => {
    const { method = 'POST', body } = options
    const answer = await fetch(path, {
      method,
      headers: { ...headers, ...body === undefined ? {} : { 'Content-Type': 'application/json' } },
      body: body === undefined ? undefined : JSON.stringify(body)
    }).catch(() => {
      throw new Error(silence)
    })
    if (answer.ok) return answer
    const { error, field } = await answer.json().catch(() => ({}))
    throw Object.assign(new Error(error ?? `The server answered with the status ${answer.status}.`), { field })
  }
}
