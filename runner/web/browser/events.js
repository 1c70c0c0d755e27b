/* global EventSource */

/**
 * What the server tells, as it happens. A connection that breaks is made again by the browser, which names the last
 * event that it has seen.
 *
 * @param {Record<string, (value: any) => void>} listeners by the name of the event
 * @param {(isOpen: boolean) => void} [onConnection]
 */
export function listen (listeners, onConnection = () => {}) {
  const source = new EventSource('/api/events')
  for (const [name, act] of Object.entries(listeners)) {
    source.addEventListener(name, (event) => act(JSON.parse(event.data)))
  }
  source.addEventListener('open', () => onConnection(true))
  source.addEventListener('error', () => onConnection(false))
}
