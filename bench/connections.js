import { parseArgs } from 'node:util'
import { loadLesson, resolveLesson } from '../runner/lesson/index.js'
import { startGenerator } from '../runner/load/index.js'
import { withOneServer } from '../runner/process/index.js'
import { newSeed } from '../runner/shared/random.js'
import { aboutRun } from './about.js'

/**
 * Does a slice measure all of its connections? Each slice opens new ones, and a server takes few of them in each turn
 * of its loop. For each connection of a slice as a check runs it: how many responses it got, and when the first came.
 * `npm run measure connections -- [--slices 5] [lesson …]`. Measure alone.
 *
 * @import { LoadedLesson } from '../runner/lesson/index.js'
 * @import { SentRequest } from '../runner/load/index.js'
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { slices: { type: 'string', default: '5' } }
})
const usual = ['1', '3', '9', '10', '11', '14']
const signal = new AbortController().signal

console.log(`${aboutRun()}\n`)
console.log('| lesson | server | connections | responses of each | first response of each, ms | slice, ms |')
console.log('|---|---|---|---|---|---|')
for (const name of positionals.length > 0 ? positionals : usual) {
  const entry = await loadLesson(await resolveLesson(name))
  for (const server of /** @type {const} */ (['slow', 'solution'])) await row(entry, server)
}

/** @param {LoadedLesson} entry @param {'slow' | 'solution'} which */
async function row (entry, which) {
  const { load: name } = entry.lesson.mechanism
  const { connections, sliceMs = 200, sliceAnswers = 10, warmUpMs = 300 } = entry.lesson.loads[name]
  const dir = which === 'slow' ? entry.slowDir : entry.solutionDir
  await withOneServer({ entry, dir, seed: newSeed(), signal }, async ({ server: { port }, session }) => {
    const generator = await startGenerator(session)
    const order = { instance: 'yours#1', load: name, port, sliceAnswers, unchecked: true, withoutProbe: true }
    await generator.slice({ ...order, sliceMs: warmUpMs })
    for (let at = 0; at < Number(values.slices); at++) {
      const { sent = [] } = await generator.slice({ ...order, sliceMs, traced: true })
      const { counts, firsts, ms } = summed(sent)
      console.log(`| ${entry.number} | ${which} | ${counts.length} of ${connections} | ${counts.join(' ')} | ` +
        `${firsts.map((first) => first.toFixed(0)).join(' ')} | ${ms.toFixed(0)} |`)
    }
  })
}

/** @param {SentRequest[]} sent */
function summed (sent) {
  const ports = [...new Set(sent.map(({ port }) => port))]
  const startUs = Math.min(...sent.map(({ sentUs }) => sentUs))
  const ofPort = ports.map((port) => sent.filter((one) => one.port === port))
  return {
    counts: ofPort.map((own) => own.length).sort((a, b) => b - a),
    firsts: ofPort.map((own) => (Math.min(...own.map(({ receivedUs }) => receivedUs)) - startUs) / 1000)
      .sort((a, b) => a - b),
    ms: (Math.max(...sent.map(({ receivedUs }) => receivedUs)) - startUs) / 1000
  }
}
