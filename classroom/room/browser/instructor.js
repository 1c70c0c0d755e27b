import { allOf, attempt, byId, followPage, show } from '../../../runner/http/browser.js'
import { trusted } from '../../../runner/report/browser.js'

/**
 * The instructor's page: what followPage doesn't do by itself.
 */

const silence = 'The room doesn’t answer: nothing was changed.'
const ask = followPage({
  headers: { Authorization: `Bearer ${takeSecret()}` },
  silence,
  lost: 'The room doesn’t answer. This page reconnects by itself.',
  onParts: () => {
    byId('room').hidden = false
    filterSeats()
    // It does again.
    for (const said of allOf('[data-said]')) if (said.textContent === silence) said.replaceChildren()
  }
})

/** The instructor's secret is in the fragment of their link: the tab keeps it, and the address bar doesn't show it. */
function takeSecret () {
  if (location.hash.length > 1) sessionStorage.setItem('secret', location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  // The link again, in the same tab.
  window.addEventListener('hashchange', () => location.reload())
  return sessionStorage.getItem('secret') ?? ''
}

function filterSeats () {
  const [{ value: wanted } = { value: 'all' }] = /** @type {HTMLInputElement[]} */ (allOf('[name=filter]:checked'))
  const part = byId('find', HTMLInputElement).value.trim().toLowerCase()
  const rows = allOf('#seats tr')
  for (const row of rows) {
    const { is = '', name = '' } = row.dataset
    row.hidden = !is.split(' ').includes(wanted) || !name.includes(part)
  }
  const isEmpty = rows.every((row) => row.hidden)
  const why = wanted === 'stuck' && part === '' ? 'No one is stuck.' : 'No matches.'
  const none = rows.length === 0 ? 'No one is here yet. Learners join with the address above.' : why
  byId('no-seats').textContent = isEmpty ? none : ''
  for (const table of allOf('.seats')) table.hidden = isEmpty
}

for (const radio of allOf('[name=filter]')) radio.addEventListener('change', filterSeats)
byId('find').addEventListener('input', filterSeats)

// The time of day by the clock of this machine: when it was last that time.
const [sweep] = allOf('[name=after]')
byId('after').addEventListener('input', () => {
  const [hours, minutes] = byId('after', HTMLInputElement).value.split(':').map(Number)
  const at = new Date()
  at.setHours(hours, minutes, 0, 0)
  if (at.getTime() > Date.now()) at.setDate(at.getDate() - 1)
  sweep.setAttribute('value', Number.isNaN(at.getTime()) ? '' : at.toISOString())
})

const files = byId('import', HTMLInputElement)
files.addEventListener('change', () => files.form?.requestSubmit())

const key = byId('key')
key.addEventListener('toggle', () => attempt(key, async () => {
  show(byId('key-text'), trusted(await (await ask('/api/class/key', { method: 'GET' })).text()))
}))
