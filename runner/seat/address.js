import { WorkshopError } from '../errors.js'

/**
 * What an instructor gives to learners, as somebody types it. Pure.
 *
 * @param {string | undefined} text `http://192.168.1.5:4000/b8zm-k62t`, also without `http://`
 * @returns {{ url: string, code: string }} url: with a slash at its end
 * @throws {WorkshopError} it is no such address
 */
export function readAddress (text = '') {
  const whole = /^https?:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  const code = url?.pathname.split('/').filter((part) => part !== '').at(-1) ?? ''
  if (url === null || text === '' || code === '') {
    throw new WorkshopError(`“${text}” is no address of a room: it has a code at its end, as in ` +
      '`npm run join http://192.168.1.5:4000/b8zm-k62t -- --name Ada`.')
  }
  return { url: new URL('/', url).href, code: decodeURIComponent(code) }
}
