import { byId, clicked, readData, show } from '../../http/browser.js'
import { trusted, withCode } from '../../report/browser.js'
import { request } from './request.js'

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
    say(error.message)
    // They may have changed since.
    if (hash !== undefined) list().catch(() => {})
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
