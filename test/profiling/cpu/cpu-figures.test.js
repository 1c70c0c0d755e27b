import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { readCpuProfile } from '../../../runner/inside/index.js'
import { comparisonSections, cpuFigures, cpuSections, readRecording } from '../../../runner/profiling/tools/cpu-tool.js'
import { readReports } from '../../../runner/profiling/index.js'
import { reportFiles, reportsFolder } from '../../../runner/profiling/profile-files.js'
import { dir, inServer, rawProfile } from '../../inside/cpu-profile/profiles.js'
import { temporaryFolder } from '../../temporary.js'

const server = inServer('lib/server.js')

/** @param {number} workMs @param {number} idleMs */
const profileOf = (workMs, idleMs) => readCpuProfile(rawProfile([
  { stack: [['handle', server, 7], ['work', server, 9], ['sha512', '']], ms: workMs },
  { stack: [['(idle)', '']], ms: idleMs }
]), { dir })

/** @param {[workMs: number, idleMs: number][]} threads @param {number} answers */
function recorded (threads, answers) {
  const profiles = threads.map(([workMs, idleMs], at) => ({
    title: `thread ${at + 1}`,
    raw: null,
    profile: profileOf(workMs, idleMs)
  }))
  return readRecording(
    { threads: profiles, answers, missing: [], cores: 1, problems: [], coverage: [], countedAnswers: 0 })
}

test('the tables of a thread that is mostly idle are left out, and shown on request', () => {
  const titles = (/** @type {number} */ workMs, /** @type {boolean} */ all) => {
    const sections = cpuSections(recorded([[workMs, 100 - workMs]], 10), { all })
    return sections.flatMap(({ title, text = [], rows = [] }) => text.length + rows.length > 0 ? [title] : [])
  }
  assert.deepEqual(titles(20, false), ['Reading', 'Time', 'Tables'])
  assert.ok(titles(20, true).includes('Your code'))
  assert.deepEqual(titles(40, false), titles(40, true))
})

test('a function has its share of the thread in which it is largest', () => {
  const { functions, slow } = cpuFigures(recorded([[30, 70], [60, 40]], 10), null, [])
  const work = functions.find(({ name }) => name === 'work')
  assert.deepEqual(work, {
    name: 'work',
    place: 'lib/server.js:9',
    file: 'lib/server.js',
    line: 9,
    lines: [],
    owner: 'yours',
    thread: 'thread 2',
    self: 0,
    total: 0.6,
    charged: 0.6
  })
  assert.equal(functions.find(({ name }) => name === 'sha512')?.file, null)
  assert.ok(!functions.some(({ owner }) => owner === 'idle'))
  assert.equal(slow, null)
})

test('compared, it knows what a request costs in the slow server', () => {
  const [mine, slow] = [recorded([[10, 90]], 10), recorded([[90, 10]], 10)]
  assert.deepEqual([mine.requestMs, slow.requestMs], [1, 9])
  const titles = (/** @type {boolean} */ all) => comparisonSections(slow, mine, [], { all }).map(({ title }) => title)
  assert.deepEqual(titles(true).filter((title) => !titles(false).includes(title)),
    ['Your code', 'Self time', 'Total time', 'Bottom up'])
})

test('the newest report of each tool is read, of the learner’s own server and of the slow one', async (t) => {
  const entry = { workspaceDir: path.join(temporaryFolder(t), 'workspace', '01-x'), folder: '01-x' }
  assert.deepEqual(await readReports(entry), [])
  const folder = reportsFolder(entry)
  const figures = cpuFigures(recorded([[10, 90]], 10), null, [])
  for (const [at, [stem, json]] of /** @type {[string, unknown][]} */ ([
    ['mine-cpu-compared', figures], ['mine-cpu', 'older'], ['mine-trace', { findings: 'none' }],
    ['slow-cpu', figures], ['mine-none', {}]
  ]).entries()) {
    const files = reportFiles({ folder, stem })
    await files.write('.json', JSON.stringify(json))
    const seconds = 1_700_000_000 - at
    fs.utimesSync(await files.write('.html', ''), seconds, seconds)
  }
  const found = await readReports(entry)
  assert.deepEqual(found.map(({ server, tool, file, cpu, trace }) => [server, tool, path.basename(file), cpu, trace]), [
    ['mine', 'cpu', 'mine-cpu-compared.html', figures, null],
    ['mine', 'trace', 'mine-trace.html', null, null],
    ['slow', 'cpu', 'slow-cpu.html', figures, null]
  ])
  const [first] = figures.functions
  const functions = [{ ...first, line: '<b>' }]
  for (const wrong of [7, null, {}, { ...figures, functions: [null] }, { ...figures, functions }]) {
    fs.writeFileSync(path.join(folder, 'mine-cpu-compared.json'), JSON.stringify(wrong))
    assert.equal((await readReports(entry))[0].cpu, null, JSON.stringify(wrong))
  }
})
