import { whileSeen } from '../../http/browser.js'

/**
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { Job } from '../jobs/job.js'
 * @import { State } from '../lessons.js'
 *
 * @typedef {object} Listeners by the name of the event
 * @property {() => void} [anew] comes before what is told from its beginning, to a page that was told nothing yet or
 *   has missed too much
 * @property {(job: Job) => void} [job]
 * @property {(event: CheckProgress) => void} [progress]
 * @property {(record: ResultRecord) => void} [record]
 * @property {(saved: { lesson: string, file: string }) => void} [saved] lesson: slug
 * @property {(state: State) => void} [state]
 */

export const noConnection = 'No connection to the workshop. Is `npm start` still running?'

/**
 * What the server tells, as it happens. A connection that breaks is made again by the browser, which names the last
 * event that it has seen.
 *
 * @param {Listeners} listeners
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
