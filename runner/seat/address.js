import { WorkshopError } from '../errors.js'

/**
 * Reads a room's address as a learner types it. Pure.
 *
 * @param {string | undefined} text `http://192.168.1.5:4000/b8zm-k62t`, with or without `http://`
 * @returns {{ url: string, code: string }} url: with a trailing slash
 * @throws {WorkshopError} not a room's address
 */
export function readAddress (text = '') {
  const whole = /^https?:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  const code = decoded(url?.pathname.split('/').filter((part) => part !== '').at(-1))
  if (url === null || text === '' || code === '') {
    throw new WorkshopError(`“${text}” isn’t the address of a room, which ends in a code, as in ` +
      '`http://192.168.1.5:4000/b8zm-k62t`.')
  }
  return { url: new URL('/', url).href, code }
}

/** @param {string} [part] of a path @returns {string} empty where it is malformed */
function decoded (part = '') {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
