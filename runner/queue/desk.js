import { WorkshopError } from '../errors.js'

/**
 * A room elsewhere, as a worker sees it.
 *
 * @import { Desk } from './worker.js'
 */

const patienceMs = 10_000

/** @param {{ url: string, secret: string }} room @returns {Desk} */
export function deskAt ({ url, secret }) {
  const ask = async (/** @type {string} */ verb, /** @type {unknown} */ body) => {
    const response = await fetch(new URL(`api/work/${verb}`, url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs)
    }).catch((error) => {
      throw new WorkshopError(`The room at ${url} doesn’t answer: retrying until it does.`, { cause: error })
    })
    const json = await response.json().catch(() => null)
    if (response.ok && json !== null) return json
    const said = typeof json?.error === 'string' ? json.error : `There’s no room at ${url}: check the address.`
    throw Object.assign(new WorkshopError(said), { status: response.status })
  }
  const isTaken = (/** @type {string} */ verb) => async (/** @type {unknown} */ held) =>
    (await ask(verb, held)).isTaken === true
  return {
    claim: (given) => ask('claim', given),
    renew: isTaken('renew'),
    finish: isTaken('finish'),
    fail: isTaken('fail'),
    release: isTaken('release')
  }
}

/**
 * The room in this process.
 *
 * @param {Record<keyof Desk, (given: any) => any>} work what it lets workers do
 * @returns {Desk}
 */
export function deskHere (work) {
  const { claim, renew, finish, fail, release } = work
  return {
    claim: async (given) => claim(given),
    renew: async (held) => renew(held),
    finish: async (held) => finish(held),
    fail: async (held) => fail(held),
    release: async (held) => release(held)
  }
}
