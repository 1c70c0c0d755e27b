import { allOf, createAsk, whileSeen } from '../../http/browser.js'

/**
 * @import { CheckProgress, ResultRecord } from '../../judge/index.js'
 * @import { Job } from '../jobs.js'
 * @import { State } from '../page-data.js'
 *
 * @typedef {object} Listeners by the name of the event
 * @property {() => void} [restart] the job is told again from its beginning: the page has been told nothing yet, or
 *   has missed too much
 * @property {(job: Job) => void} [job]
 * @property {(event: CheckProgress) => void} [progress]
 * @property {(record: ResultRecord) => void} [record]
 * @property {(saved: { lesson: string, file: string }) => void} [saved] lesson: slug
 * @property {(state: State) => void} [state]
 */

export const noConnection = 'No connection to the workshop. Is `npm start` still running? ' +
  'Started again, it prints a new link.'

/**
 * What the server tells, as it happens. The browser reconnects when a connection breaks, and names the last
 * event that it saw.
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
        // Another workshop doesn't take this page's requests.
        if (name !== 'restart' && lastId !== '' && startOf(lastId) !== startOf(event.lastEventId)) {
          source.close()
          return loadAgain()
        }
        lastId = event.lastEventId
        act(JSON.parse(event.data))
      })
    }
    source.addEventListener('open', () => onConnection(true))
    source.addEventListener('error', () => onConnection(false))
    return () => source.close()
  })
}

/** Which start of the workshop sent it. @param {string} id of an event */
function startOf (id) {
  return id.split('-')[0]
}

/** At once, unless typed text would be lost. */
function loadAgain () {
  const isTyped = allOf('textarea, input[type=text]').some((field) =>
    (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== field.defaultValue)
  if (!isTyped) return location.reload()
  const [main] = allOf('main')
  const note = document.createElement('p')
  note.className = 'note'
  note.role = 'alert'
  note.textContent = 'The workshop was started again, and this page is older: keep what you typed, then load it again. '
  const button = note.appendChild(document.createElement('button'))
  button.textContent = 'Load it again'
  button.addEventListener('click', () => location.reload())
  main.prepend(note)
}

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
