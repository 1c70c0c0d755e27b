/* global EventSource */

import { whileSeen } from '../../http/browser.js'

export const noConnection = 'No connection to the workshop. Is `npm start` still running?'

/**
 * What the server tells, as it happens. A connection that breaks is made again by the browser, which names the last
 * event that it has seen.
 *
 * @param {Record<string, (value: any) => void>} listeners by the name of the event; `anew` comes before what is told
 *   from its beginning, to who was told nothing yet or has missed too much
 * @param {(isOpen: boolean) => void} [onConnection]
 */
export function listen (listeners, onConnection = () => {}) {
  let lastId = ''
  whileSeen(() => {
    const source = new EventSource(lastId === '' ? '/api/events' : `/api/events?after=${encodeURIComponent(lastId)}`)
    for (const [name, act] of Object.entries(listeners)) {
      source.addEventListener(name, (event) => {
        lastId = event.lastEventId
        act(JSON.parse(event.data))
      })
    }
    source.addEventListener('open', () => onConnection(true))
    source.addEventListener('error', () => onConnection(false))
    return () => source.close()
  })
}
