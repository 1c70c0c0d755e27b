/**
 * @param {Record<string, string>} headers that tell who asks
 * @param {string} silence a sentence, where nobody answers
 * @returns {(path: string, options?: { method?: string, body?: unknown }) => Promise<Response>} asks the server to do
 *   something; default POST. It rejects with the server's own sentence
 */
export function createAsk (headers, silence) {
  return async (path, { method = 'POST', body } = {}) => {
    const answer = await fetch(path, {
      method,
      headers: { ...headers, ...body === undefined ? {} : { 'Content-Type': 'application/json' } },
      body: body === undefined ? undefined : JSON.stringify(body)
    }).catch(() => {
      throw new Error(silence)
    })
    if (answer.ok) return answer
    const { error } = await answer.json().catch(() => ({}))
    throw Object.assign(new Error(error ?? `It was answered with ${answer.status}.`), { status: answer.status })
  }
}
