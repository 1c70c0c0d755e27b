/* global d3, document, flamegraph, window */
'use strict'

const { views } = JSON.parse(document.getElementById('data').textContent)
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
/** Of the view that is shown, from top to bottom. */
let charts = []

function draw () {
  const at = Number(element('view').value)
  const shown = (views[at].above ?? [at]).map((one) => views[one])
  element('graph').replaceChildren()
  charts = shown.map((view) => drawGraph(view, { titled: shown.length > 1 }))
  for (const legend of document.querySelectorAll('.legend')) {
    legend.hidden = (legend.dataset.of === 'change') !== (shown[0].change !== undefined)
  }
  if (element('search').value.trim() !== '') search()
}

function drawGraph (view, { titled }) {
  const tree = shownTree(view.tree)
  const place = document.createElement('div')
  if (titled) {
    const caption = document.createElement('p')
    caption.textContent = `${view.title}: ${milliseconds(tree.value)} for a request`
    element('graph').append(caption)
  }
  element('graph').append(place)
  const chart = flamegraph.default()
    .width(element('graph').clientWidth)
    .cellHeight(20)
    .minFrameSize(0.4)
    .transitionDuration(window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250)
    // In order of time nothing is sorted.
    .sort(view.ordered ? false : (a, b) => b.data.value - a.data.value)
    .setColorMapper((node) => node.highlight ? found : colourOf(node.data, view))
    .setLabelHandler((node) => describe(node, view, tree.value))
    .setDetailsHandler((text) => { element('details').textContent = text ?? hint })
    .setSearchMatch(matches)
    .setSearchHandler((results, sum) => tellFound(results, sum / tree.value))
    .onClick((node) => tellClicked(node, view))
  d3.select(place).datum(tree).call(chart)
  // The library writes them after its animation, and not at all where a page is drawn without one.
  d3.select(place).selectAll('.d3-flame-graph-label').text((node) => node.data.name)
  return chart
}

/** A page that shows this one beside the code is told where a frame of the learner’s server stands. */
function tellClicked ({ data: { owner, place } }, { other = false }) {
  // Sandboxed, we do not know the origin of that page; the names of functions are no secret from whoever shows us.
  if (window.parent !== window && owner === 'yours') window.parent.postMessage({ type: 'frame', place, other }, '*')
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

function tellFound (results, share) {
  element('details').textContent = `${results.length} frames, ${percent(share)} of the time.`
}

function describe ({ data }, { perRequest, change }, whole) {
  const { name, place, value, other } = data
  const where = place === '' || name.includes(place) ? '' : `, ${place}`
  const time = `${name}${where}: ${milliseconds(value)}${perRequest ? ' for a request' : ''}`
  if (change === undefined) return `${time}, ${percent(value / whole)} of the time`
  const before = other === 0 ? 'nothing' : milliseconds(other)
  const difference = `${value < other ? '−' : '+'}${milliseconds(Math.abs(value - other))}`
  return `${time}, ${before} in the other server (${difference})`
}

/** Of what changed: blue is less time than before, red is more. */
function colourOf ({ owner, value, other }, { change }) {
  if (change === undefined) return colours[owner]
  // Seen from the slow server, what went away is less.
  const [before, after] = change === 'after' ? [other, value] : [value, other]
  const part = (after - before) / Math.max(before, after, 1e-9)
  if (Math.abs(part) < 0.1) return '#d5d9de'
  const rgb = part > 0 ? [255, 138, 117] : [125, 183, 255]
  const mixed = rgb.map((one) => Math.round(213 + (one - 213) * Math.min(1, Math.abs(part) * 1.2)))
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
    for (const chart of charts) chart.clear()
    element('details').textContent = hint
  } else {
    for (const chart of charts) chart.search(term)
  }
}

for (const id of ['view', 'native', 'internals']) element(id).addEventListener('change', draw)
element('search').addEventListener('input', search)
element('whole').addEventListener('click', () => {
  for (const chart of charts) chart.resetZoom()
})
let width = window.innerWidth
window.addEventListener('resize', () => {
  // A phone's address bar changes the height only.
  if (window.innerWidth === width) return
  width = window.innerWidth
  draw()
})
document.body.classList.toggle('framed', window.parent !== window)
const both = views.findIndex(({ above }) => above !== undefined)
if (both >= 0 && window.innerWidth >= 640) element('view').value = String(both)
draw()
