/* global ResizeObserver, document, window, momentAt, sayMoment, loopFigures */
'use strict'

/** Runs in the page of recorded event loops, after the functions of loop-moment.js. */

const { sides, asks } = JSON.parse(document.getElementById('data').textContent)
const element = (id) => document.getElementById(id)
const figure = element('figure')
const end = Math.max(...sides.map(({ ms }) => ms))
const routes = routesByCount()
let isAsking = asks !== null
let [from, to] = [0, firstEnd()]
let line = loopFigures(sides[0]).tellingAt
if (line > to) line = to / 2

const mostLanes = 14
const mostThreads = 8
const [laneHeight, titleHeight] = [13, 20]
/** Of bold type, and what of a name is worth showing. */
const [letterWidth, leastLetters] = [7.5, 4]

/** The most frequent first: it has the colour of its server. */
function routesByCount () {
  const counts = new Map()
  for (const { route } of sides.flatMap(({ requests }) => requests)) counts.set(route, (counts.get(route) ?? 0) + 1)
  return [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a))
}

/** A fast server does too much in the whole time to be seen: twenty responses of the slower one are enough. */
function firstEnd () {
  const received = sides.map(({ requests, ms }) =>
    requests.map((one) => one.received).filter((at) => at < ms).sort((a, b) => a - b))
  return Math.min(end, Math.max(...received.map((times) => times[19] ?? end)))
}

function colourOf (route, { name }) {
  const at = routes.indexOf(route)
  return at < 0 ? 'var(--other)' : at === 0 ? `var(--${name})` : at === 1 ? 'var(--second)' : 'var(--third)'
}

function escaped (text) {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function shortened (text, most) {
  return text.length > most ? `${text.slice(0, most - 1).replace(/…$/, '')}…` : text
}

function digits (ms) {
  return ms.toFixed(ms < 10 ? 1 : 0)
}

/** What all rows are drawn with: the width, and the place of a moment. */
function scaleNow () {
  const width = Math.max(280, figure.clientWidth)
  const left = width < 560 ? 66 : 104
  const x = (ms) => left + (ms - from) / (to - from) * (width - left)
  const clip = (ms) => Math.min(width, Math.max(left, x(ms)))
  const bar = ([a, b], y, height, colour, more = '') => b <= from || a >= to
    ? ''
    : `<rect x="${clip(a).toFixed(1)}" y="${y}" width="${Math.max(0.8, clip(b) - clip(a)).toFixed(1)}" ` +
      `height="${height}" fill="${colour}" ${more}/>`
  return { width, left, x, clip, bar }
}

function draw () {
  const scale = scaleNow()
  let y = 0
  let svg = ''
  for (const side of isAsking ? sides.slice(0, 1) : sides) {
    svg += titleOf(side, y + 14)
    y += titleHeight
    if (!isAsking) [svg, y] = drawLanes(side, svg, y, scale)
    ;[svg, y] = drawThreads(side, svg, y + 4, scale)
    y += 12
  }
  const { width, x } = scale
  const marker = line < from || line > to
    ? ''
    : `<path d="M${x(line)},12V${y - 8}" stroke="var(--ink)" stroke-width="1.5"/>`
  figure.innerHTML = `<svg width="${width}" height="${y + 14}" viewBox="0 0 ${width} ${y + 14}" aria-hidden="true">${
    axisOf(scale, y)}${svg}${marker}</svg>`
  say()
}

function titleOf (side, y) {
  const { busy, longest, waiting, pool } = loopFigures(side)
  const wait = isAsking ? '' : ` · ${waiting.toFixed(1)} requests wait on average`
  const handed = pool < 0.05 || isAsking ? '' : `, ${pool.toFixed(1)} are with the thread pool`
  const who = side.threads.length > 1 ? 'busiest thread' : 'main thread'
  const words = `${who} busy ${Math.round(busy * 100)} %` +
    (figure.clientWidth < 560 ? '' : ` · longest block ${digits(longest)} ms${wait}${handed}`)
  return `<text y="${y}"><tspan class="bold">${side.title}</tspan>   ${words}</text>`
}

function drawLanes (side, svg, y, { left, x, bar }) {
  const shown = [...new Set(side.requests.filter(({ sent, received }) => received > from && sent < to)
    .map(({ lane }) => lane))].map((lane) => side.requests.filter((one) => one.lane === lane))
    .sort(([a], [b]) => routes.indexOf(a.route) - routes.indexOf(b.route) || a.lane - b.lane)
  // However many wait of the most frequent route, the others are to be seen, too.
  const few = routes.length > 1 ? mostLanes / routes.length : mostLanes
  const placeOf = (own) => shown.filter(([{ route }]) => route === own[0].route).indexOf(own)
  const room = mostLanes - shown.filter((own) => placeOf(own) < few).length
  let extra = 0
  const drawn = shown.filter((own) => placeOf(own) < few || extra++ < room)
  for (const own of drawn) {
    const middle = y + laneHeight / 2
    const name = [...new Set(own.map(({ route }) => route))].join(' ')
    svg += `<text class="small" y="${middle + 4}">${escaped(shortened(name, Math.floor(left / 7)))}</text>`
    for (const { route, sent, done, received, work, pool } of own) {
      svg += bar([sent, done ?? received], middle - 0.75, 1.5, 'var(--wait)')
      if (done !== null) svg += bar([done, received], middle - 0.75, 1.5, 'var(--wait)', 'opacity=".35"')
      if (sent > from && sent < to) svg += `<path class="tick" d="M${x(sent)},${middle - 4}v8"/>`
      const colour = colourOf(route, side)
      for (const [a, b] of pool) {
        const span = [a, Math.min(b, received)]
        svg += bar(span, middle - 2.5, 5, 'var(--back)') + bar(span, middle - 2.5, 5, colour, 'opacity=".4"')
      }
      for (const span of work) svg += bar(span, middle - 4.5, 9, colour, 'rx="1.5"')
    }
    y += laneHeight
  }
  const hidden = shown.filter((own) => !drawn.includes(own))
  if (hidden.length === 0) return [svg, y]
  const list = routes.map((route) => [hidden.filter(([own]) => own.route === route).length, route])
    .filter(([count]) => count > 0)
    .map(([count, route]) => `${count} to ${escaped(route)}`).join(', ')
  svg += `<text class="small" x="${left}" y="${y + 10}">not drawn: ${list}</text>`
  return [svg, y + laneHeight]
}

function drawThreads (side, svg, y, { width, left, clip, bar }) {
  const height = side.threads.length > 1 ? 24 : 40
  for (const { title, blocks, gcs, fullAt } of side.threads.slice(0, mostThreads)) {
    const short = left < 100 ? title.replace(' thread', '') : title
    const name = short.replace(/main (thread )?of /, '').replace('worker thread', 'worker')
    svg += `<text class="small bold" y="${y + height / 2 + 4}">${escaped(name)}</text>` +
      `<rect x="${left}" y="${y}" width="${width - left}" height="${height}" rx="3" class="thread"/>`
    for (const block of blocks) svg += drawBlock(block, side, { y, height, clip, bar })
    for (const span of gcs) svg += bar(span, y + height - 4, 3, 'var(--gc)')
    if (fullAt !== null) svg += bar([fullAt, end], y + 1, height - 2, 'url(#unseen)')
    y += height + 3
  }
  const rest = side.threads.length - mostThreads
  if (rest > 0) svg += `<text class="small" x="${left}" y="${y + 10}">and ${rest} more threads</text>`
  return [svg, rest > 0 ? y + laneHeight : y]
}

function drawBlock ({ from: start, to: stop, name, request, pale }, side, { y, height, clip, bar }) {
  const room = clip(stop) - clip(start)
  const colour = request === null ? 'var(--other)' : colourOf(side.requests[request].route, side)
  const drawn = bar([start, stop], y + 1, height - 2, colour, room > 4 ? 'rx="2" class="block"' : '') +
    pale.map((span) => bar(span, y + 2, height - 4, 'var(--back)', 'opacity=".6"')).join('')
  if (room < 40) return drawn
  const fits = Math.floor((room - 10) / letterWidth)
  const words = (text, at) =>
    `<text class="on" x="${clip(start) + 5}" y="${y + at}" stroke="${colour}">${escaped(text)}</text>`
  const ms = `${digits(stop - start)} ms`
  return drawn + (fits < leastLetters ? '' : words(shortened(name, fits), 16)) +
    (height > 30 && ms.length <= fits ? words(ms, 31) : '')
}

function axisOf ({ width, left, x }, y) {
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].find((ms) => (to - from) / ms <= (width - left) / 70) ?? 100
  let svg = '<defs><pattern id="unseen" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0,6L6,0" ' +
    'stroke="var(--line)"/></pattern></defs>'
  for (let at = Math.ceil(from / step); at * step <= to; at++) {
    const isLast = at * step === to
    const [place, words] = [x(at * step), `${Number((at * step).toFixed(1))} ms`]
    svg += `<path d="M${place},${titleHeight}V${y - 8}" stroke="var(--line)"/>` +
      `<text class="small" x="${place}" y="${y + 8}" text-anchor="${isLast ? 'end' : 'middle'}">${words}</text>`
  }
  return svg
}

function say () {
  const said = sides.map((side) => sayMoment(side, momentAt(side, line)))
  figure.setAttribute('aria-valuenow', line.toFixed(1))
  figure.setAttribute('aria-valuetext', isAsking
    ? `${line.toFixed(0)} ms`
    : sides.map(({ title }, at) => `${title}: ${said[at]}`).join(' '))
  element('said').innerHTML = isAsking
    ? ''
    : sides.map(({ name, title }, at) => `<div class="${name}"><strong>${title} at ${digits(line)} ms</strong><br>${
      escaped(said[at]).replace(/`(.*?)`/g, '<code>$1</code>')}</div>`).join('')
}

function timeOf ({ clientX }) {
  const { left, width } = scaleNow()
  const at = from + (clientX - figure.getBoundingClientRect().left - left) / (width - left) * (to - from)
  return Math.max(from, Math.min(to, at))
}

function zoom (factor) {
  if (factor === 0) [from, to] = [0, end]
  else {
    const half = Math.max(0.5, (to - from) * factor / 2)
    ;[from, to] = [Math.max(0, line - half), Math.min(end, line + half)]
  }
  draw()
}

function move (ms) {
  line = Math.max(0, Math.min(end, ms))
  const span = to - from
  if (line < from) [from, to] = [line, line + span]
  if (line > to) [from, to] = [line - span, line]
  draw()
}

let dragged = null
figure.addEventListener('pointerdown', (event) => { dragged = event.pointerType === 'mouse' ? timeOf(event) : null })
figure.addEventListener('pointermove', (event) => { if (!isAsking) move(timeOf(event)) })
figure.addEventListener('pointerup', (event) => {
  const at = timeOf(event)
  if (dragged !== null && Math.abs(at - dragged) > (to - from) / 50) {
    [from, to] = [Math.min(at, dragged), Math.max(at, dragged)]
  }
  dragged = null
  if (!isAsking) move(at)
})
figure.addEventListener('keydown', (event) => {
  const { key, shiftKey } = event
  const step = (to - from) / (shiftKey ? 10 : 100)
  const keys = {
    ArrowRight: () => move(line + step),
    ArrowLeft: () => move(line - step),
    Home: () => move(0),
    End: () => move(end),
    '+': () => zoom(0.5),
    '-': () => zoom(2),
    0: () => zoom(0)
  }
  if (isAsking || !Object.hasOwn(keys, key)) return
  event.preventDefault()
  keys[key]()
})
for (const button of document.querySelectorAll('[data-zoom]')) {
  button.addEventListener('click', () => zoom(Number(button.dataset.zoom)))
}

function reveal (guess) {
  isAsking = false
  document.body.classList.remove('asking')
  const { waiting } = momentAt(sides[0], line)
  const said = guess === '' ? '' : `You said ${guess}. `
  element('answer').textContent = `${said}${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'} at the line.`
  draw()
  figure.focus()
}
// No form: a page in a sandboxed frame may not submit one.
const show = () => reveal(element('guess').value)
element('show').addEventListener('click', show)
element('guess').addEventListener('keydown', ({ key }) => key === 'Enter' && show())
document.body.classList.toggle('asking', isAsking)
document.body.classList.toggle('framed', window.parent !== window)
let seenWidth = 0
new ResizeObserver(() => {
  if (figure.clientWidth === seenWidth || figure.clientWidth === 0) return
  seenWidth = figure.clientWidth
  draw()
}).observe(figure)
