import { byId, clicked, readData, show } from '../../http/browser.js'
import { trusted, withCode } from '../../report/browser.js'
import { request } from './events.js'

/** Hands in the learner's files, once they have seen which. */

const lessonUrl = `/api/lessons/${readData().slug}`
const panel = byId('panel-submit')

panel.addEventListener('click', async (event) => {
  const button = clicked(event, '[data-list], [data-submit]')
  if (button === null) return
  const { submit: hash } = button.dataset
  try {
    if (hash === undefined) await list()
    else say((await request(`${lessonUrl}/submission`, { body: { hash } })).sentence)
  } catch (error) {
    // They may have changed since: what's said stands next to the list that it's about.
    if (hash !== undefined) await list().catch(() => {})
    say(error.message)
  }
})

async function list () {
  const { html } = await request(`${lessonUrl}/files-to-submit`)
  show(byId('to-submit'), trusted(html))
}

/** @param {string} sentence */
function say (sentence) {
  show(byId('submit-said'), withCode(sentence))
}
