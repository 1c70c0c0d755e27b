import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { calledName, mergeTrees, sameFunction } from '../../inside/index.js'
import { html, htmlPage, sectionsHtml } from '../../report/index.js'

/**
 * A CPU profile as a page: a flame graph (d3-flame-graph) with search, with or without idle and
 * native frames, each coloured by whose code it is; of two profiles, coloured by what changed.
 *
 * @import { CpuProfile, Frame } from '../../inside/index.js'
 * @import { Section } from '../../report/index.js'
 *
 * @typedef {object} FlameSource
 * @property {number} answers during the recording
 * @property {{ title: string, profile: CpuProfile }[]} threads
 * @property {(place: string) => string | null} [routeAt] the route whose handler begins there: `POST /login`
 *
 * One frame, as short as a page with ten thousand of them wants it:
 * @typedef {{ name: string, place: string, owner: string, value: number, children: PageFrame[], other?: number }}
 *   PageFrame value: µs, per request if two profiles are compared; other: the same frame in the other profile
 */

/** Frames below this share are too small to see, and make the file large. */
const leastShare = 0.0002

/**
 * @param {object} given
 * @param {string} given.title
 * @param {string[]} given.sentences
 * @param {FlameSource} given.after the requested server
 * @param {FlameSource | null} [given.before] the one it's compared with
 * @param {Section} [given.changes] from that one
 * @param {[string, string]} [given.names] of the two, if they aren't a lesson's
 * @returns {string} HTML
 */
export function flamePage ({ title, sentences, after, before = null, changes, names }) {
  const views = before ? comparedViews(before, after, names) : threadViews(after)
  return htmlPage({
    title,
    styles: [browserFile('flame-graph.css')],
    scripts: [...libraryScripts(), browserFile('flame-graph.js')],
    data: { views },
    body: html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
<div class="tools"><div class="controls" role="group" aria-label="How to show the profile">
<label${views.length < 2 ? html` hidden` : ''}>Show <select id="view">${views.map(({ title }, at) => html`
<option value="${at}">${title}</option>`)}</select></label>
<label>Search <input type="search" id="search" placeholder="function or file"></label>
<button type="button" id="whole">Whole graph</button>
<ul class="legend" data-of="owner" aria-label="Whose frames are shown">${ownerLegend}</ul>
<ul class="legend" data-of="change" hidden>${changeLegend}</ul>
</div>
<p id="details" class="soft" aria-live="polite">${howToRead}</p></div>
<div id="graph" tabindex="0" role="group"
aria-label="Flame graph: the arrow keys go from function to function, Enter zooms in"></div>
${changes === undefined ? '' : sectionsHtml([changes])}`
  })
}

const howToRead = 'Each bar is a function. It sits on the one that called it, and is as wide as its share of the ' +
  'time. Click it to zoom, or use the arrow keys and Enter.'
const ownerLegend = [
  ['yours', 'your files'],
  ['package', 'packages'],
  ['node', 'Node.js'],
  ['native', 'native code'],
  ['gc', 'garbage collection'],
  ['idle', 'idle'],
  ['runs', 'each package in one row']
]
  .map(([owner, words]) => html`<li><button type="button" data-owner="${owner}" aria-pressed="${
    String(owner !== 'idle')}">
${swatch(owner)}${words}</button></li>`)
const changeLegend = [['more', 'more time for a request than before'], ['less', 'less'], ['same', 'about the same']]
  .map(([change, words]) => html`<li>${swatch(change)}${words}</li>`)

/** @param {string} name of a colour */
function swatch (name) {
  return html`<i style="background:var(--${name})"></i>`
}

/**
 * A view: one graph, or several others of the list, one above the other.
 *
 * @typedef {object} View
 * @property {string} title
 * @property {boolean} [perRequest] its times are per request
 * @property {'before' | 'after'} [change] coloured by what changed, seen from this side
 * @property {boolean} [other] of the server yours is compared with
 * @property {PageFrame} [tree]
 * @property {number[]} [above] numbers of other views
 *
 * @param {FlameSource} pictured
 * @returns {View[]}
 */
function threadViews ({ threads, routeAt }) {
  const merged = (/** @type {string} */ title, /** @type {FlameSource['threads']} */ some) => {
    const tree = mergeTrees(some.map(({ profile }) => profile.root))
    return { title, tree: pageTree({ tree, routeAt }) }
  }
  return [
    ...threads.map((thread) => merged(thread.title, [thread])),
    ...threads.length < 2 ? [] : [merged('all threads', threads)]
  ]
}

/** @param {FlameSource} before @param {FlameSource} after @param {[string, string]} [names] @returns {View[]} */
function comparedViews (before, after, [first, second] = ['the slow one', 'yours']) {
  const [slow, mine] = [before, after].map(({ threads, answers, routeAt }) => {
    const tree = withoutIdle(mergeTrees(threads.map(({ profile }) => profile.root), sameFunction))
    return { tree, answers: Math.max(1, answers), routeAt }
  })
  const perRequest = true
  return [
    { title: `${second}, by what changed`, perRequest, change: 'after', tree: pageTree(mine, slow) },
    { title: `${first}, by what changed`, perRequest, change: 'before', other: true, tree: pageTree(slow, mine) },
    { title: `${first} above ${second}, by what changed`, above: [1, 0] },
    { title: second, perRequest, tree: pageTree(mine) },
    { title: first, perRequest, other: true, tree: pageTree(slow) }
  ]
}

/** @param {Frame} root @returns {Frame} */
function withoutIdle (root) {
  const children = root.children.filter(({ owner }) => owner !== 'idle')
  return { ...root, children, selfMs: 0, totalMs: children.reduce((sum, { totalMs }) => sum + totalMs, 0) }
}

/**
 * @param {{ tree: Frame, answers?: number, routeAt?: FlameSource['routeAt'] }} shown answers: by which its time is
 *   divided; none: times are whole µs
 * @param {{ tree: Frame | undefined, answers: number }} [other] the same frame in the other profile
 * @param {number} [least] ms
 * @returns {PageFrame}
 */
function pageTree ({ tree, answers, routeAt }, other, least = tree.totalMs * leastShare) {
  const { place, owner, totalMs, children } = tree
  const same = (/** @type {Frame} */ child) =>
    other?.tree?.children.find((one) => sameFunction(one) === sameFunction(child))
  return {
    name: calledName(tree, routeAt),
    place,
    owner,
    value: answers === undefined ? Math.round(totalMs * 1000) : totalMs * 1000 / answers,
    ...other && { other: (other.tree?.totalMs ?? 0) * 1000 / other.answers },
    children: children.filter(({ totalMs }) => totalMs > least).map((child) =>
      pageTree({ tree: child, answers, routeAt }, other && { tree: same(child), answers: other.answers }, least))
  }
}

/** In order of their dependencies; each is a script that adds to one global, d3. */
const d3Modules = [
  'array', 'color', 'interpolate', 'time', 'time-format', 'format', 'scale', 'dispatch', 'timer', 'ease', 'selection',
  'transition', 'hierarchy'
].map((name) => `d3-${name}`)

function libraryScripts () {
  const main = createRequire(import.meta.url).resolve('d3-flame-graph')
  const search = createRequire(main)
  const files = [
    ...d3Modules.map((name) => path.join(path.dirname(search.resolve(name)), `${name}.min.js`)),
    path.join(path.dirname(main), 'd3-flamegraph.umd.min.js')
  ]
  return files.map((file) => fs.readFileSync(file, 'utf8'))
}

/** @param {string} name of a file that runs in the page, or of its styles */
export function browserFile (name) {
  return fs.readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8')
}
