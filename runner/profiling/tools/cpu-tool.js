import path from 'node:path'
import { changePerRequest } from '../../inside/index.js'
import { routeIn } from '../../shared/text.js'
import { changesSection, comparisonSections, cpuFigures, cpuSections, readRecording } from '../cpu-report.js'
import { flamePage } from '../pages/flame-page.js'
import { recordCpu } from '../record-cpu.js'
import { sourceOf } from '../under-load.js'

/**
 * @import { FlameSource } from '../pages/flame-page.js'
 * @import { CpuRecording } from '../record-cpu.js'
 * @import { ToolGiven, ToolResult } from '../profile-files.js'
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
  const read = readRecording(recording)
  const slow = before && readRecording(before)
  const changes = slow === null ? [] : changePerRequest(slow, read)
  const kept = []
  for (const [at, { raw }] of recording.threads.entries()) {
    kept.push(await files.write(at === 0 ? '.cpuprofile' : `.${at + 1}.cpuprofile`, JSON.stringify(raw)))
  }
  const sectionsOf = (/** @type {boolean | undefined} */ all) =>
    slow === null ? cpuSections(read, { all }) : comparisonSections(slow, read, changes, { names, all })
  await files.write('.json', JSON.stringify(cpuFigures(read, slow, sectionsOf(true))))
  const report = await files.write('.html', flamePage({
    title,
    sentences: read.sentences,
    before: compareWith && before && pictured(before, compareWith.dir),
    after: pictured(recording, target.dir),
    changes: changesSection(changes, names),
    names
  }))
  return { sections: sectionsOf(all), report, kept }
}

/** @param {CpuRecording} recording @param {string} dir of the server @returns {FlameSource} */
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
