/* global d3, document, flamegraph, window */
'use strict'

const { views, compared } = JSON.parse(document.getElementById('data').textContent)
const element = (id) => document.getElementById(id)
const colours = {
  yours: '#f59e42',
  package: '#7cc4f0',
  node: '#8fd19e',
  native: '#c3c8ce',
  gc: '#cda7ea',
  idle: '#e4e7eb'
}
const found = '#ffee32'
const hint = element('details').textContent
let chart = null
let whole = 1

function draw () {
  const view = views[Number(element('view').value)]
  const tree = shownTree(view.tree)
  whole = tree.value
  element('graph').replaceChildren()
  chart = flamegraph.default()
    .width(element('graph').clientWidth)
    .cellHeight(20)
    .minFrameSize(0.4)
    .transitionDuration(window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250)
    // In order of time nothing is sorted.
    .sort(view.ordered ? false : (a, b) => b.data.value - a.data.value)
    .setColorMapper((node) => node.highlight ? found : compared ? changeColour(node.data) : colours[node.data.owner])
    .setLabelHandler(describe)
    .setDetailsHandler((text) => { element('details').textContent = text ?? hint })
    .setSearchMatch(matches)
    .setSearchHandler(tellFound)
  d3.select('#graph').datum(tree).call(chart)
  if (element('search').value.trim() !== '') search()
  // The library writes them after its animation, and not at all where a page is drawn without one.
  d3.selectAll('#graph .d3-flame-graph-label').text((node) => node.data.name)
}

/** Frames that are not wanted give their time to those that called them, and hand on what they called. */
function shownTree (frame) {
  const children = frame.children.flatMap((child) => {
    const shown = shownTree(child)
    return isShown(child) ? [shown] : shown.children
  })
  return { ...frame, children }
}

function isShown ({ owner }) {
  if (owner === 'native' && !element('native').checked) return false
  return owner !== 'node' || element('internals').checked
}

function matches ({ data }, term) {
  return term !== '' && `${data.name} ${data.place}`.toLowerCase().includes(term.toLowerCase())
}

function tellFound (results, sum) {
  element('details').textContent = `${results.length} frames, ${percent(sum / whole)} of the time.`
}

function describe ({ data }) {
  const { name, place, value, other } = data
  const where = place === '' || name.includes(place) ? '' : `, ${place}`
  if (!compared) return `${name}${where}: ${milliseconds(value)}, ${percent(value / whole)} of the time`
  const before = other === 0 ? 'nothing' : milliseconds(other)
  const change = `${value < other ? '−' : '+'}${milliseconds(Math.abs(value - other))}`
  return `${name}${where}: ${milliseconds(value)} for a request, ${before} in the other server (${change})`
}

/** Of the server that is shown: blue is less time than in the other one, red is more. */
function changeColour ({ value, other }) {
  // Seen from the slow server, what went away is less.
  const [before, after] = Number(element('view').value) === 0 ? [other, value] : [value, other]
  const change = (after - before) / Math.max(before, after, 1e-9)
  if (Math.abs(change) < 0.1) return '#d5d9de'
  const [r, g, b] = change > 0 ? [255, 138, 117] : [125, 183, 255]
  const mixed = [r, g, b].map((part) => Math.round(213 + (part - 213) * Math.min(1, Math.abs(change) * 1.2)))
  return `rgb(${mixed.join(',')})`
}

function percent (share) {
  return `${(share * 100).toFixed(1)} %`
}

function milliseconds (us) {
  return `${Number((us / 1000).toPrecision(3))} ms`
}

function search () {
  const term = element('search').value.trim()
  if (term === '') {
    chart.clear()
    element('details').textContent = hint
  } else {
    chart.search(term)
  }
}

for (const id of ['view', 'native', 'internals']) element(id).addEventListener('change', draw)
element('search').addEventListener('input', search)
element('whole').addEventListener('click', () => chart.resetZoom())
let width = window.innerWidth
window.addEventListener('resize', () => {
  // A phone's address bar changes the height only.
  if (window.innerWidth === width) return
  width = window.innerWidth
  draw()
})
draw()
