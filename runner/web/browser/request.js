const token = document.querySelector('meta[name=token]').content

/**
 * Asks the server to do something.
 *
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} [options] default POST
 * @returns {Promise<any>} the answer's JSON; null where it has none
 * @throws {Error} with the server's own sentence
 */
export async function request (path, { method = 'POST', body } = {}) {
  const answer = await fetch(path, {
    method,
    headers: { 'X-Token': token, ...body === undefined ? {} : { 'Content-Type': 'application/json' } },
    body: body === undefined ? undefined : JSON.stringify(body)
  }).catch(() => {
    throw new Error('The workshop does not answer. Is `npm start` still running?')
  })
  const text = await answer.text()
  const value = text === '' || !answer.headers.get('Content-Type')?.includes('json') ? null : JSON.parse(text)
  if (!answer.ok) throw new Error(value?.error ?? `The workshop answered ${answer.status}.`)
  return value
}
