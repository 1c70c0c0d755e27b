import { readLoop, recordLoop } from '../../inside/index.js'
import { capabilitiesOf, createTheme } from '../../report/index.js'
import { milliseconds, percent } from '../../shared/format.js'
import { busiestThread, loopFigures, momentAt, sayMoment } from '../pages/loop-moment.js'
import { loopPage } from '../pages/loop-page.js'
import { cannotBeRecorded, routesIn, underLoad } from '../under-load.js'

/**
 * The event loops of the slow server and of another one, for a moment under load.
 *
 * @import { LoopRecording, LoopSide } from '../../inside/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { ShownSide } from '../pages/loop-page.js'
 * @import { ReportFiles, ToolGiven, ToolResult } from '../profile-files.js'
 * @import { Target } from '../under-load.js'
 */

const warmUpMs = 400
const leadMs = 300

/**
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, which, title, names, compareWith, files, say }) {
  const { slowDir, lesson: { eventLoop } } = target.entry
  const isSlow = target.dir === slowDir
  const first = target.own ? compareWith : isSlow ? null : { ...target, dir: slowDir }
  const recordOne = async (/** @type {Target} */ one, /** @type {string} */ name) => {
    say(`Recording a moment of ${name} …`)
    return readLoop(await recordUnderLoad(one), routesIn(one.dir))
  }
  const slow = first && { ...slowNames(names), ...await recordOne(first, names?.[0] ?? 'the slow server') }
  const own = await recordOne(target, which)
  const sides = isSlow
    ? [{ ...slowNames(), ...own }]
    : [...slow ? [slow] : [], { name: /** @type {const} */ ('yours'), title: names?.[1] ?? 'Yours', ...own }]
  const report = await writeLoop(files, { title, sides, asks: isSlow ? eventLoop?.asks : undefined })
  const { unicode } = capabilitiesOf(process.stdout)
  return { sections: loopSections(sides, createTheme({ unicode }).marks.blocks), report, kept: [] }
}

/** @param {[string, string]} [names] of the two @returns {Pick<ShownSide, 'name' | 'title'>} */
function slowNames (names) {
  return { name: 'slow', title: names?.[0] ?? 'The slow server' }
}

/** @param {Target} target @returns {Promise<LoopRecording>} @throws {import('../../shared/errors.js').WorkshopError} */
export async function recordUnderLoad (target) {
  const { fresh } = target.entry.lesson.loads[target.loadName]
  return underLoad({ ...target, traced: true }, async ({ server, hub, load }) => {
    const recording = await recordLoop({
      hub,
      server,
      // If the cost grows with the requests served, the beginning is the picture.
      ...fresh ? { leadMs: 0 } : { warmUpMs, leadMs },
      load: async (ms) => (await load(ms)).sent ?? []
    })
    if (recording === null) throw cannotBeRecorded()
    return recording
  })
}

/**
 * What a check recorded after its verdict.
 *
 * @param {ReportFiles} files
 * @param {LoadedLesson} entry
 * @param {LoopRecording[]} loops of the slow server and of the learner's
 */
export async function writeLoops (files, entry, [slow, yours]) {
  const sides = [
    { ...slowNames(), ...readLoop(slow, routesIn(slow.dir)) },
    { name: /** @type {const} */ ('yours'), title: 'Yours', ...readLoop(yours, routesIn(yours.dir)) }
  ]
  await writeLoop(files, { title: `Lesson ${entry.number}, ${entry.lesson.title}: after your check`, sides })
}

/**
 * @param {ReportFiles} files
 * @param {{ title: string, sides: ShownSide[], asks?: string }} shown
 * @returns {Promise<string>} the page
 */
export function writeLoop (files, { title, sides, asks }) {
  const isFull = sides.some(({ threads }) => threads.some(({ fullAt }) => fullAt !== null))
  const notes = [
    'These servers aren’t those that a check times: recording costs a server up to half of its rate. On a busy ' +
      'machine, blocks are longer; where a thread had no core, its block is pale.',
    ...isFull ? ['In the hatched part a thread had done so much already that nothing more was recorded.'] : []
  ]
  return files.write('.html', loopPage({ title, sides, asks, notes }))
}

/** With the figures next to them, they fit the narrowest window. */
const signsInALine = 40

/**
 * For a terminal: each server's busiest thread in blocks, and how many requests wait for it.
 *
 * @param {ShownSide[]} sides
 * @param {string} signs of a block, of the next one, of one without a core, of nothing
 * @returns {Section[]}
 */
export function loopSections (sides, signs) {
  const at = loopFigures(sides[0]).tellingAt
  return [
    {
      title: 'Reading',
      text: sides.map((side) => `${side.title} at ${Math.round(at)} ms: ${sayMoment(side, momentAt(side, at))}`)
    },
    {
      title: 'Event loop',
      // As figures: rows of signs aren't wrapped.
      columns: ['', `#0 to ${Math.round(sides[0].ms)} ms`],
      rows: sides.flatMap((side) => [[side.title, blockRow(side, signs)], ['requests that wait', waitRow(side)]]),
      notes: [
        `${signs[0]} and ${signs[1]} are blocks in turn, ${signs[2]} is a block without a core, ${signs[3]} is idle.`,
        '+ is more than 9.'
      ]
    },
    {
      title: 'Figures',
      columns: ['', '#busy', '#longest block', '#wait', '#in the pool'],
      rows: sides.map((side) => {
        const { busy, longest, waiting, pool } = loopFigures(side)
        return [side.title, percent(busy), milliseconds(longest), waiting.toFixed(1), pool.toFixed(1)]
      })
    }
  ]
}

/** @param {LoopSide} side @param {string} signs */
function blockRow (side, signs) {
  const { blocks } = side.threads[busiestThread(side)] ?? { blocks: [] }
  return Array.from({ length: signsInALine }, (_, at) => {
    const [from, to] = [at, at + 1].map((edge) => edge * side.ms / signsInALine)
    const shared = (/** @type {[number, number]} */ [a, b]) => Math.max(0, Math.min(to, b) - Math.max(from, a))
    const shares = blocks.map((block) => shared([block.from, block.to]))
    const most = Math.max(0, ...shares)
    if (most < (to - from) / 4) return signs[3]
    const number = shares.indexOf(most)
    const goneMs = blocks[number].pale.reduce((sum, span) => sum + shared(span), 0)
    return goneMs > most / 2 ? signs[2] : signs[number % 2]
  }).join('')
}

/** @param {LoopSide} side */
function waitRow (side) {
  return Array.from({ length: signsInALine }, (_, at) => {
    const { waiting } = momentAt(side, (at + 0.5) * side.ms / signsInALine)
    return waiting.length > 9 ? '+' : String(waiting.length)
  }).join('')
}
