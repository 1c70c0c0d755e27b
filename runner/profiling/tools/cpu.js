import path from 'node:path'
import { callsOf, changePerRequest, mergeTrees, readSentences, summarise } from '../../inside/index.js'
import { routeIn } from '../../route-name.js'
import { comparisonSections, cpuSections } from '../cpu-sections.js'
import { cpuFigures, recordCpu, sourceOf } from '../cpu.js'
import { flamePage } from '../pages/flame.js'

/**
 * @import { CpuAnalysis, Recording } from '../cpu.js'
 * @import { FlameSource } from '../pages/flame.js'
 * @import { ToolGiven, ToolResult } from '../report-files.js'
 * @import { Target } from '../under-load.js'
 */

/**
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, which, title, compareWith, names, all, seconds, files, say }) {
  const record = (/** @type {Target} */ one, /** @type {string} */ name) => {
    say(`Recording ${name} for ${seconds} s …`)
    return recordCpu(one, { seconds })
  }
  const before = compareWith && await record(compareWith, names?.[0] ?? 'the slow server')
  const recording = await record(target, which)
  const read = understand(recording)
  const kept = []
  for (const [at, { raw }] of recording.threads.entries()) {
    kept.push(await files.write(at === 0 ? '.cpuprofile' : `.${at + 1}.cpuprofile`, JSON.stringify(raw)))
  }

  const keepFigures = (/** @type {Parameters<typeof cpuFigures>[2]} */ compared) =>
    files.write('.json', JSON.stringify(cpuFigures(read, recording, compared)))

  if (compareWith === null || before === null) {
    await keepFigures(null)
    const report = await files.write(
      '.html',
      flamePage({ title, sentences: read.sentences, after: pictured(recording, target.dir) })
    )
    return { sections: cpuSections(read, recording, { all }), report, kept }
  }
  const readBefore = understand(before)
  const changes = changePerRequest(
    { functions: readBefore.functions, answers: before.answers },
    { functions: read.functions, answers: recording.answers }
  )
  await keepFigures({ before: readBefore, slow: before, changes })
  const [slow, mine] = [pictured(before, compareWith.dir), pictured(recording, target.dir)]
  const report = await files.write(
    '.html',
    flamePage({ title, sentences: read.sentences, before: slow, after: mine, changes, names })
  )
  return {
    sections: comparisonSections({
      before: readBefore, after: read, changes, recordings: [before, recording], names
    }),
    report,
    kept
  }
}

/** @param {Recording} recording @returns {CpuAnalysis} */
function understand ({ threads, coverage, countedAnswers, cores }) {
  const summary = summarise(threads[0].profile)
  const calls = summary.charged ? callsOf(summary.charged, coverage, sourceOf) : null
  const sentences = readSentences(summary, {
    callsPerRequest: calls === null || countedAnswers === 0 ? null : calls / countedAnswers,
    cores: threads.length === 1 ? cores : null,
    thread: threads[0].title
  })
  const whole = mergeTrees(threads.map(({ profile }) => profile.root))
  return { summary, functions: summarise({ root: whole, wallMs: whole.totalMs, samples: [] }).functions, sentences }
}

/** @param {Recording} recording @param {string} dir of the server @returns {FlameSource} */
function pictured ({ threads, answers }, dir) {
  /** @type {Map<string, string[]>} */
  const files = new Map()
  const routeAt = (/** @type {string} */ place) => {
    const [, file = '', line] = /^(.+):(\d+)$/.exec(place) ?? []
    const lines = files.get(file) ?? sourceOf(path.join(dir, file))?.split('\n') ?? []
    files.set(file, lines)
    return routeIn(lines[Number(line) - 1])
  }
  return { answers, threads: threads.map(({ title, profile }) => ({ title, profile })), routeAt }
}
