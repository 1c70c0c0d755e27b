import { readData, renewParts, show } from '../../http/browser.js'
import { withCode } from '../../report/browser.js'
import { listen, noConnection } from './events.js'
import { createLiveView } from './live-view.js'

/**
 * The pages of comparisons: one of them, or all.
 *
 * @import { Job } from '../jobs.js'
 */

/** @type {{ id: string, servers: [string, string] } | null} */
const shown = readData()
let isBusy = false
const live = createLiveView(() => isBusy && shown ? { servers: shown.servers } : null)

/** @param {string} sentence */
function say (sentence) {
  const status = document.getElementById('status')
  if (status !== null) show(status, withCode(sentence))
}

/** @param {Job | null} job */
async function follow (job) {
  const wasBusy = isBusy
  isBusy = shown !== null && job?.state === 'running' && job.comparison?.id === shown.id
  if (isBusy && !wasBusy) live.clear()
  if (isBusy) return say('It’s running in a terminal: Ctrl-C stops it there.')
  if (shown === null || wasBusy) await renewParts()
  if (!wasBusy) return
  live.clear()
  say('')
}

listen({
  restart: () => { isBusy = false },
  job: follow,
  progress: (event) => { if (isBusy) live.add(event) },
  state: ({ job }) => { follow(job) }
}, (isOpen) => say(isOpen ? '' : noConnection))
