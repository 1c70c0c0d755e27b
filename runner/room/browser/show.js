/** What each place shows: what has not changed stays as it is, with what is marked and focused there. */
const shown = new WeakMap()

/** @param {HTMLElement} place @param {string} html */
export function show (place, html) {
  if (shown.get(place) === html) return
  shown.set(place, html)
  keepFocus(() => { place.innerHTML = html })
}

/**
 * @param {HTMLTableSectionElement} body
 * @param {{ key: number, html: string }[]} rows in their order
 */
export function showRows (body, rows) {
  const known = new Map([...body.rows].map((row) => [row.dataset.key, row]))
  keepFocus(() => {
    let next = body.firstElementChild
    for (const { key, html } of rows) {
      const row = known.get(String(key)) ?? newRow(key)
      known.delete(String(key))
      show(row, html)
      if (row === next) next = row.nextElementSibling
      else body.insertBefore(row, next)
    }
    for (const row of known.values()) row.remove()
  })
}

function newRow (key) {
  const row = document.createElement('tr')
  row.dataset.key = key
  return row
}

function keepFocus (act) {
  const before = document.activeElement
  act()
  if (!before?.id || before === document.activeElement) return
  document.getElementById(before.id)?.focus({ preventScroll: true })
}
