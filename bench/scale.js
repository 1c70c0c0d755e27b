import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { percentInColumn } from '../runner/shared/format.js'
import { quantile } from '../runner/judge/index.js'
import { startRedis } from '../test/queue/redis.js'
import { aboutRun } from './about.js'
import { handedIn } from './scale/course.js'
import { growth } from './scale/growth.js'
import { keepBusy } from './scale/keep-busy.js'
import { arrivalsOf, firstComeFirstServed, play, roomsQueue } from './scale/rush.js'

/**
 * Past one room (docs/scale.md): does the queue keep its workers busy, does a rush drain fairly, how does the room
 * grow, how many submissions does a machine grade in an hour? The queue is the real one, graders are timers:
 * `npm run measure scale -- [--workers 1,64] [--faster 5] [--each 5] [--kept 100,3000]`. Some two minutes; with
 * redis-server in the PATH also through Redis. Measure alone.
 */

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,64' },
    faster: { type: 'string', default: '5' },
    each: { type: 'string', default: '5' },
    kept: { type: 'string', default: '100,3000' }
  }
})
const [faster, each] = [Number(values.faster), Number(values.each)]
const numbers = (/** @type {string} */ text) => text.split(',').map(Number)
/** @type {(() => unknown)[]} */
const ends = []
const t = /** @type {any} */ ({ after: (/** @type {() => unknown} */ end) => ends.push(end) })
// Memory is what is left after a collection.
setFlagsFromString('--expose-gc')
globalThis.gc = runInNewContext('gc')
const lessons = await handedIn()
const meanSeconds = lessons.reduce((sum, { seconds }) => sum + seconds, 0) / lessons.length
console.log(aboutRun())
try {
  const redis = spawnSync('redis-server', ['--version']).status === 0 ? await startRedis(t) : null
  await showBusy(redis?.port)
  await showRush()
  await showGrowth()
  showPerHour()
} finally {
  for (const end of ends.reverse()) await end()
}

/** @param {number} [port] of Redis */
async function showBusy (port) {
  const gradingMs = (/** @type {string} */ lesson) =>
    1000 * (lessons.find(({ id }) => id === lesson)?.seconds ?? meanSeconds) / faster
  console.log(`\nGraders that are timers, ${faster} times faster than real ones, so that the queue’s own time weighs ` +
    `${faster} times as much; ${each} jobs for each worker:\n`)
  console.log('| workers | jobs come from | jobs/s | busy grading |\n|---|---|---|---|')
  for (const redisUrl of [undefined, ...port === undefined ? [] : [`redis://127.0.0.1:${port}`]]) {
    for (const workers of numbers(values.workers)) {
      const { efficiency, perSecond } = await keepBusy({ lessons, workers, each, gradingMs, redisUrl })
      console.log(`| ${workers} | ${redisUrl === undefined ? 'the room' : 'Redis'} | ${perSecond.toFixed(1)} | ` +
        `${percentInColumn(efficiency)} |`)
    }
  }
}

async function showRush () {
  const [learners, eager, versions, workers] = [300, 30, 10, 8]
  const arrivals = arrivalsOf({ learners, eager, versions, withinMs: 10 * 60_000 })
  const how = { workers, gradingMs: (/** @type {number} */ nth) => 1000 * lessons[nth % lessons.length].seconds }
  console.log(`\n${learners} learners hand in within 10 minutes, the first ${eager} of them ${versions} versions at ` +
    `once; ${workers} workers. Minutes until a learner’s first result:\n`)
  console.log('| order | with one version: median, worst | with ten: median, worst | all graded after | most results ' +
    'ahead of one who waits |\n|---|---|---|---|---|')
  const queue = await roomsQueue(learners)
  for (const [name, line] of /** @type {const} */ ([
    ['in turns, the room’s', queue], ['first come, first served', firstComeFirstServed()]
  ])) {
    const { waits, endMs, lead } = play(arrivals, line, how)
    const of = (/** @type {boolean} */ isEager) => {
      const own = waits.flatMap(({ seat, waitedMs }) => (seat < eager) === isEager ? [waitedMs / 60_000] : [])
      return `${quantile(own, 0.5).toFixed(1)}, ${Math.max(...own).toFixed(1)}`
    }
    console.log(`| ${name} | ${of(false)} | ${of(true)} | ${(endMs / 60_000).toFixed(1)} min | ${lead} |`)
  }
  queue.close()
}

async function showGrowth () {
  const seats = 250
  const { bytes, handedIn: sent, heap, steps } = await growth(lessons, { seats, steps: numbers(values.kept) })
  console.log('\n| submissions kept | submit | claim | finish | the instructor’s whole page |\n|---|---|---|---|---|')
  const ms = (/** @type {number} */ one) => `${one.toFixed(1)} ms`
  for (const { kept, submit, claim, finish, view } of steps) {
    console.log(`| ${kept} | ${[submit, claim, finish, view].map(ms).join(' | ')} |`)
  }
  console.log(`\nEach leaves ${kb(bytes)} in the room’s file (its files alone are ${kb(sent)}), ` +
    `${kb(heap)} in the room’s memory.`)
}

function showPerHour () {
  console.log(`\nA check of a reference takes ${meanSeconds.toFixed(1)} s on average (lessons/times.json): one ` +
    `machine grades ${Math.round(3600 / meanSeconds)} submissions an hour.`)
}

/** @param {number} bytes */
function kb (bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`
}
