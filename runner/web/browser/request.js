import { createAsk } from '../../http/browser.js'

const token = document.querySelector('meta[name=token]')?.getAttribute('content') ?? ''
const ask = createAsk({ 'X-Token': token }, 'The workshop isn’t answering. Is `npm start` still running?')

/**
 * Asks the server to do something.
 *
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} [options] default POST
 * @returns {Promise<any>} the answer's JSON
 * @throws {Error} with the server's own sentence
 */
export async function request (path, options) {
  return (await ask(path, options)).json()
}
