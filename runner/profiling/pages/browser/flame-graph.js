/* global ResizeObserver, d3, document, flamegraph, window */
'use strict'

const { views } = JSON.parse(document.getElementById('data').textContent)
const element = (id) => document.getElementById(id)
const hint = element('details').textContent
/** Owners whose frames aren't shown, and `runs`, where each frame of a package has a row. */
const hidden = new Set(['idle'])
/** The number of the current view. */
let at = 0
/** The charts of the current view, from top to bottom. */
let charts = []
/** The view that each chart shows. */
let shown = []
/** The frame that the arrow keys have reached. */
let reached = null

function draw () {
  shown = (views[at].above ?? [at]).map((one) => views[one])
  element('graph').replaceChildren()
  charts = shown.map((view) => drawGraph(view, { titled: shown.length > 1 }))
  const isByChange = shown[0].change !== undefined
  document.querySelector('[data-of=change]').hidden = !isByChange
  document.body.classList.toggle('by-change', isByChange)
  reached = null
  if (element('search').value.trim() !== '') search()
  else reachHottest()
}

function drawGraph (view, { titled }) {
  const tree = shownTree(view.tree)
  const idle = view.tree.children.find(({ owner }) => owner === 'idle')
  const isLeftOut = idle !== undefined && hidden.has('idle')
  if (isLeftOut) tree.value -= idle.value
  const place = document.createElement('div')
  const caption = document.createElement('p')
  caption.textContent = [
    titled ? `${view.title}: ${milliseconds(tree.value)} for a request.` : '',
    isLeftOut ? `Idle ${percent(idle.value / view.tree.value)} of the time, which isn’t drawn.` : ''
  ].join('')
  element('graph').append(caption, place)
  const chart = flamegraph.default()
    .width(element('graph').clientWidth)
    .cellHeight(20)
    .minFrameSize(0.4)
    .transitionDuration(window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250)
    .sort((a, b) => b.data.value - a.data.value)
    .setColorMapper((node) => node.highlight ? 'var(--found)' : colourOf(node.data, view))
    .setLabelHandler((node) => describe(node, view))
    .setDetailsHandler((text) => { element('details').textContent = text ?? hint })
    .setSearchMatch(matches)
    .setSearchHandler(({ length }, sum) => {
      element('details').textContent = `${length} frames, ${percent(sum / view.tree.value)} of the time.`
    })
    .onClick((node) => tellClicked(node, view))
  d3.select(place).datum(tree).call(chart)
  // The library writes them after its animation, and not at all if there's no animation.
  d3.select(place).selectAll('.d3-flame-graph-label').text((node) => node.data.name)
  return chart
}

/** Tells a page that embeds this one next to the code which line a clicked frame is on. */
function tellClicked ({ data: { owner, place } }, { other = false }) {
  // In a sandbox we don't know that page's origin; function names are no secret from a page that embeds us.
  if (window.parent !== window && owner === 'yours') window.parent.postMessage({ type: 'frame', place, other }, '*')
}

/** Hidden frames give their time to their callers, which also get their callees. */
function shownTree (frame) {
  const children = frame.children.flatMap((child) => {
    const shown = shownTree(child)
    return hidden.has(child.owner) ? shown.children : [shown]
  })
  const name = packageOf(frame)
  const run = name === null ? [] : children.filter((child) => packageOf(child) === name)
  if (hidden.has('runs') || run.length === 0) return { ...frame, children }
  const rows = 1 + Math.max(...run.map((child) => child.rows ?? 1))
  const called = children.flatMap((child) => run.includes(child) ? child.children : [child])
  return { ...frame, name: `${name}, ${rows} frames`, rows, children: merged(called) }
}

function packageOf ({ owner, place }) {
  return owner === 'package' ? /^(@[^/]+\/)?[^/:]+/.exec(place)?.[0] ?? null : null
}

/** What several frames of a package call is called by the run of them. */
function merged (frames) {
  return d3.groups(frames, ({ name, place }) => `${name} ${place}`).map(([, same]) => same.length < 2
    ? same[0]
    : {
        ...same[0],
        value: d3.sum(same, ({ value }) => value),
        other: d3.sum(same, ({ other }) => other),
        children: merged(same.flatMap(({ children }) => children))
      })
}

/** The learner's own function that takes the most time without the others: the one to look at first. */
function reachHottest () {
  let hottest = null
  const charge = (node) => {
    const own = (node.children ?? []).reduce((sum, child) => sum + charge(child), 0)
    if (node.data.owner !== 'yours') return own
    if (hottest === null || node.data.value - own > hottest.time) hottest = { node, time: node.data.value - own }
    return node.data.value
  }
  const root = roots()[shown.findIndex(({ other }) => !other)]
  if (root !== undefined) charge(root)
  if (hottest !== null) reach(hottest.node)
}

function frames () {
  return d3.select('#graph').selectAll('g.frame')
}

/** One per chart, from top to bottom. */
function roots () {
  return frames().data().filter((node) => !node.parent)
}

function reach (node) {
  reached = node
  const place = frames().classed('reached', (one) => one === node).filter((one) => one === node).node()
  const { top, bottom } = place.getBoundingClientRect()
  const covered = document.querySelector('.tools').getBoundingClientRect().bottom
  // Only here: the page around stays where it is.
  if (top < covered || bottom > window.innerHeight) window.scrollBy(0, top - window.innerHeight / 2)
  element('details').textContent = describe(node, shown[roots().indexOf(node.ancestors().at(-1))])
}

/** Up to what a function calls, down to what called it, and to its neighbours. */
function neighbour (node, key) {
  const drawn = new Set(frames().data())
  const called = (one) => (one?.children ?? []).filter((child) => drawn.has(child))
  if (key === 'ArrowUp') return called(node).sort((a, b) => b.data.value - a.data.value)[0]
  if (key === 'ArrowDown') return node.parent
  const all = called(node.parent).sort((a, b) => a.x0 - b.x0)
  return all[all.indexOf(node) + (key === 'ArrowRight' ? 1 : -1)]
}

element('graph').addEventListener('keydown', (event) => {
  if (event.key.startsWith('Arrow')) {
    event.preventDefault()
    const next = reached === null ? roots()[0] : neighbour(reached, event.key)
    if (next) reach(next)
  } else if (event.key === 'Enter' && reached !== null) frames().filter((one) => one === reached).dispatch('click')
})

function matches ({ data }, term) {
  return term !== '' && `${data.name} ${data.place}`.toLowerCase().includes(term.toLowerCase())
}

function describe ({ data }, { perRequest, change, tree }) {
  const { name, place, value, other } = data
  const where = place === '' || name.includes(place) ? '' : `, ${place}`
  const time = `${name}${where}: ${milliseconds(value)}${perRequest ? ' for a request' : ''}`
  if (change === undefined) return `${time}, ${percent(value / tree.value)} of the time`
  const before = other === 0 ? 'nothing' : milliseconds(other)
  const difference = `${value < other ? '−' : '+'}${milliseconds(Math.abs(value - other))}`
  return `${time}, ${before} in the other server (${difference})`
}

/** In a comparison, blue is less time than before, and red is more. */
function colourOf ({ owner, value, other }, { change }) {
  if (change === undefined) return `var(--${owner})`
  // Seen from the slow server, what disappeared is less.
  const [before, after] = change === 'after' ? [other, value] : [value, other]
  const part = (after - before) / Math.max(before, after, 1e-9)
  const strength = Math.abs(part) < 0.1 ? 0 : Math.min(100, Math.abs(part) * 120)
  return `color-mix(in srgb, var(--${part > 0 ? 'more' : 'less'}) ${strength}%, var(--same))`
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

for (const button of document.querySelectorAll('[data-owner]')) {
  button.addEventListener('click', () => {
    const { owner } = button.dataset
    if (!hidden.delete(owner)) hidden.add(owner)
    button.setAttribute('aria-pressed', String(!hidden.has(owner)))
    draw()
  })
}
element('view').addEventListener('change', () => {
  at = Number(element('view').value)
  draw()
})
element('search').addEventListener('input', search)
element('whole').addEventListener('click', () => {
  for (const chart of charts) chart.resetZoom()
})
document.body.classList.toggle('framed', window.parent !== window)
let width = 0
// Not at once, and not on `resize`: a frame that isn't laid out yet, or is hidden, has no width, and hears of none.
new ResizeObserver(() => {
  const { clientWidth } = element('graph')
  if (clientWidth === 0 || clientWidth === width) return
  const both = width > 0 ? -1 : views.findIndex(({ above }) => above !== undefined)
  if (both >= 0 && window.innerWidth >= 640) element('view').value = String(at = both)
  width = clientWidth
  draw()
}).observe(element('graph'))
