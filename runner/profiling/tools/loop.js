import { readLoop, recordLoop } from '../../inside/index.js'
import { milliseconds, percent } from '../../shared/format.js'
import { loopFigures, momentAt, sayMoment } from '../pages/loop-moment.js'
import { loopPage } from '../pages/loop-page.js'
import { cannotBeRecorded, routesIn, underLoad } from '../under-load.js'

/**
 * The event loops of the slow server and of another one, for a moment under load.
 *
 * @import { LoopRecording } from '../../inside/index.js'
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
  return { sections: loopSections(sides), report, kept: [] }
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

/**
 * For a terminal: the most telling moment in a sentence, and each server's figures.
 *
 * @param {ShownSide[]} sides
 * @returns {Section[]}
 */
export function loopSections (sides) {
  const at = loopFigures(sides[0]).tellingAt
  return [
    {
      title: 'Reading',
      text: sides.map((side) => `${side.title} at ${Math.round(at)} ms: ${sayMoment(side, momentAt(side, at))}`)
    },
    {
      title: 'Event loop',
      columns: ['', '#busy', '#longest block', '#wait', '#in the pool'],
      rows: sides.map((side) => {
        const { busy, longest, waiting, pool } = loopFigures(side)
        return [side.title, percent(busy), milliseconds(longest), waiting.toFixed(1), pool.toFixed(1)]
      })
    }
  ]
}
