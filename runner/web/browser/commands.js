import { allOf, clicked, show } from '../../http/browser.js'
import { withCode } from '../../report/browser.js'
import { request } from './request.js'

/**
 * The commands of a lesson's text: each runs as a job of this page. What came of it, the server renders below it.
 *
 * @import { Job } from '../jobs/job.js'
 *
 * @typedef {{ kind: Job['kind'] | 'serve' } & Record<string, unknown>} Command
 */

/**
 * @param {string} slug of the lesson
 * @param {(command: Command) => Promise<Job>} start
 */
export function followCommands (slug, start) {
  /** By job: where its outcome is said. @type {Map<string, HTMLElement>} */
  const places = new Map()

  document.addEventListener('click', async (event) => {
    const button = clicked(event, '[data-run]')
    const place = button && allOf('.outcome', button.parentElement ?? undefined)[0]
    if (!button || !place || button.getAttribute('aria-disabled') === 'true') return
    try {
      /** @type {Command} */
      const command = JSON.parse(button.dataset.run ?? '')
      if (command.kind === 'serve') await serve(place, { ...command, lesson: slug })
      else {
        const job = await start(command)
        places.set(job.id, place)
        say(place, 'Starting …')
      }
    } catch (error) {
      say(place, error.message)
    }
  })
  return {
    /** @param {Job} job that runs @param {string} sentence */
    tell: ({ id }, sentence) => {
      const place = places.get(id)
      if (place) say(place, sentence)
    }
  }
}

/** @param {HTMLElement} place @param {string} sentence */
function say (place, sentence) {
  show(place, withCode(sentence))
}

/** It's stopped in the workbench. @param {HTMLElement} place @param {unknown} body */
async function serve (place, body) {
  say(place, 'Starting …')
  const { served: { url } } = await request('/api/served', { body })
  say(place, `It listens on ${url} until you stop it.`)
  place.dataset.listens = ''
}
