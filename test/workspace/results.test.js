import assert from 'node:assert/strict'
import nodeFs from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { resolveLesson } from '../../runner/lesson/index.js'
import {
  changeNotes,
  keepCopy,
  nextRow,
  openCopy,
  readProgress,
  resetCopy,
  saveResult,
  writeFileAtomic
} from '../../runner/workspace/index.js'
import { makeEntry } from '../lesson/fixture.js'
import { gate, passed } from '../report/records.js'

test('a lesson goes from not started over started to its verdict', async (t) => {
  const entry = await makeEntry(t)
  assert.equal((await readProgress(entry)).state, 'not started')
  await openCopy(entry)
  assert.equal((await readProgress(entry)).state, 'started')
  // An error of the workshop is no verdict on the learner.
  await saveResult(entry, record({ verdict: 'error' }))
  assert.equal((await readProgress(entry)).state, 'started')
  for (const verdict of /** @type {const} */ (['fail', 'inconclusive', 'pass'])) {
    await saveResult(entry, record({ verdict }))
    assert.equal((await readProgress(entry)).state, verdict)
  }
})

test('after a pass the ratio is that of the best pass, the time that of the last check', async (t) => {
  const entry = await makeEntry(t)
  await saveResult(entry, record({ ratio: 5, startedAt: '2026-11-21T10:00:00.000Z' }))
  await saveResult(entry, record({ verdict: 'fail', ratio: 1, startedAt: '2026-11-22T10:00:00.000Z' }))
  const { state, ratio, when } = await readProgress(entry)
  assert.deepEqual({ state, ratio, when }, { state: 'pass', ratio: 5, when: '2026-11-22T10:00:00.000Z' })
})

test('the best pass is kept: a failure or a slower pass does not replace it, a faster one does', async (t) => {
  const entry = await makeEntry(t)
  await saveResult(entry, record({ ratio: 5 }))
  await saveResult(entry, record({ ratio: 4 }))
  assert.equal((await readProgress(entry)).ratio, 5)
  await saveResult(entry, record({ verdict: 'fail', ratio: 9 }))
  const progress = await readProgress(entry)
  assert.equal(progress.state, 'pass')
  assert.equal(progress.ratio, 5)
  assert.equal(progress.last?.verdict, 'fail')
  await saveResult(entry, record({ ratio: 7 }))
  assert.equal((await readProgress(entry)).ratio, 7)
})

test('of two passes with the same ratio the later one is kept', async (t) => {
  const entry = await makeEntry(t)
  await saveResult(entry, record({ ratio: 5, startedAt: '2026-11-21T10:00:00.000Z' }))
  await saveResult(entry, record({ ratio: 5, startedAt: '2026-11-22T10:00:00.000Z' }))
  assert.equal((await readProgress(entry)).best?.startedAt, '2026-11-22T10:00:00.000Z')
})

test('a degradation and a dropped gate lend no ratio', async (t) => {
  const entry = await makeEntry(t)
  const gates = [
    { kind: 'degradation', direction: 'at most', ratio: 1.1 },
    { kind: 'rate', ratio: null },
    { kind: 'latency', ratio: 12 }
  ]
  await saveResult(entry, record({ gates }))
  assert.equal((await readProgress(entry)).ratio, 12)
})

for (const [what, text] of [
  ['empty', ''],
  ['cut', '{"version":1,"verdict":"pa'],
  ['binary', '\u0000\u0001'],
  ['null', 'null'],
  ['a list', '[]'],
  ['of another version', '{"version":2}'],
  ['without gates', '{"version":1,"verdict":"pass","startedAt":"2026-11-21T10:00:00.000Z"}']
]) {
  test(`a result file that is ${what} counts as none, is named, and is replaced by the next pass`, async (t) => {
    const entry = await makeEntry(t)
    const results = path.join(entry.root, 'workspace', 'results')
    await nodeFs.mkdir(results, { recursive: true })
    const files = [path.join(results, '03-in-memory-json.json'), path.join(results, '03-in-memory-json.best.json')]
    for (const file of files) await nodeFs.writeFile(file, text)
    const progress = await readProgress(entry)
    assert.equal(progress.state, 'started')
    assert.equal(progress.ratio, null)
    assert.deepEqual(progress.unreadable, files)
    await saveResult(entry, record({ ratio: 3 }))
    const { state, ratio, unreadable } = await readProgress(entry)
    assert.deepEqual({ state, ratio, unreadable }, { state: 'pass', ratio: 3, unreadable: [] })
  })
}

test('a result that is a folder breaks nothing', async (t) => {
  const entry = await makeEntry(t)
  await nodeFs.mkdir(path.join(entry.root, 'workspace', 'results', '03-in-memory-json.json'), { recursive: true })
  assert.equal((await readProgress(entry)).unreadable.length, 1)
})

test('a write that fails leaves the old text and no rest', async (t) => {
  const entry = await makeEntry(t)
  const file = path.join(entry.root, 'notes', 'note.json')
  await writeFileAtomic(file, 'old')
  for (const [code, expected] of new Map([
    ['EACCES', /^You don’t have permission to write to .*notes: /],
    ['EROFS', /^The disk that holds .*notes is read-only: /],
    ['ENOSPC', /^The disk that holds .*notes is full: /], ['EDQUOT', /^Your quota on the disk that holds .*notes /],
    ['EPERM', /^The system doesn’t let us change .*notes: /]
  ])) {
    const { mock } = t.mock.method(nodeFs, 'rename', async () => { throw Object.assign(new Error(code), { code }) })
    await assert.rejects(writeFileAtomic(file, 'new'), { name: 'WorkshopError', message: expected })
    mock.restore()
  }
  assert.equal(await nodeFs.readFile(file, 'utf8'), 'old')
  assert.deepEqual(await nodeFs.readdir(path.dirname(file)), ['note.json'])
})

test('a disk that fills up while writing leaves the old text', async (t) => {
  const entry = await makeEntry(t)
  const file = path.join(entry.root, 'notes', 'note.json')
  await writeFileAtomic(file, 'old')
  const { open } = nodeFs
  const { mock } = t.mock.method(nodeFs, 'open', async (/** @type {string} */ name, /** @type {string} */ flags) => {
    const handle = await open(name, flags)
    await handle.writeFile('ne')
    handle.sync = async () => { throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }) }
    return handle
  })
  await assert.rejects(writeFileAtomic(file, 'new'), { message: /is full/ })
  mock.restore()
  assert.equal(await nodeFs.readFile(file, 'utf8'), 'old')
  assert.deepEqual(await nodeFs.readdir(path.dirname(file)), ['note.json'])
})

test('on Windows a rename that is refused for a moment is tried again, and given up in the end', async (t) => {
  const entry = await makeEntry(t)
  const file = path.join(entry.root, 'note.json')
  let calls = 0
  const { rename } = nodeFs
  t.mock.method(nodeFs, 'rename', async (/** @type {string} */ from, /** @type {string} */ to) => {
    calls++
    if (calls <= 2) throw Object.assign(new Error('EPERM'), { code: calls === 1 ? 'EPERM' : 'EBUSY' })
    return rename(from, to)
  })
  const platform = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(process, 'platform'))
  t.after(() => Object.defineProperty(process, 'platform', platform))
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
  await writeFileAtomic(file, 'new')
  assert.equal(await nodeFs.readFile(file, 'utf8'), 'new')
  assert.equal(calls, 3)

  calls = -1000
  await assert.rejects(writeFileAtomic(file, 'newer'), { name: 'WorkshopError' })
})

test('many writers at once leave one whole text', async (t) => {
  const entry = await makeEntry(t)
  const file = path.join(entry.root, 'notes', 'note.json')
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000))
  await Promise.all(texts.map((text) => writeFileAtomic(file, text)))
  assert.ok(texts.includes(await nodeFs.readFile(file, 'utf8')))
  assert.deepEqual(await nodeFs.readdir(path.dirname(file)), ['note.json'])
})

test('what is noted is remembered for each lesson', async (t) => {
  const entry = await makeEntry(t)
  const other = await resolveLesson('1', { root: entry.root, env: {} })
  assert.equal((await readProgress(entry)).hints, 0)
  await changeNotes(entry, () => ({ hints: 2 }))
  await changeNotes(other, () => ({ hints: 1, solutionShown: '2026-11-21T10:00:00.000Z' }))
  assert.equal((await readProgress(entry)).hints, 2)
  const { hints, solutionShown } = await readProgress(other)
  assert.deepEqual({ hints, solutionShown }, { hints: 1, solutionShown: '2026-11-21T10:00:00.000Z' })
})

test('every attempt is counted and kept with its ratio, an error of the workshop isn’t one', async (t) => {
  const entry = await makeEntry(t)
  await saveResult(entry, record({ verdict: 'fail', ratio: 1.2, startedAt: '2026-11-21T10:00:00.000Z' }))
  await saveResult(entry, record({ verdict: 'error' }))
  await saveResult(entry, record({ ratio: 5, startedAt: '2026-11-22T10:00:00.000Z' }))
  const { attempts, history } = await readProgress(entry)
  assert.equal(attempts, 2)
  assert.deepEqual(history, [
    { at: '2026-11-21T10:00:00.000Z', verdict: 'fail', gate: 'movies', ratio: 1.2, interval: [5.71, 6.58] },
    { at: '2026-11-22T10:00:00.000Z', verdict: 'pass', gate: 'movies', ratio: 5, interval: [5.71, 6.58] }
  ])
})

test('two that note something at once lose nothing', async (t) => {
  const entry = await makeEntry(t)
  await Promise.all(Array.from({ length: 8 }, () =>
    changeNotes(entry, ({ attempts }) => ({ attempts: attempts + 1 }))))
  assert.equal((await readProgress(entry)).attempts, 8)
})

test('the history does not grow for ever, the count goes on', async (t) => {
  const entry = await makeEntry(t)
  const attempt = { at: '2026-11-21T10:00:00.000Z', verdict: /** @type {const} */ ('fail'), ratio: 1, interval: null }
  await changeNotes(entry, () => ({ attempts: 150, history: Array.from({ length: 150 }, () => attempt) }))
  await saveResult(entry, record({ ratio: 5 }))
  const { attempts, history } = await readProgress(entry)
  assert.deepEqual([attempts, history.length, history.at(-1)?.ratio], [151, 100, 5])
})

for (const text of [
  '', '{', '[]', 'null', '{"version":1}', '{"version":2,"lessons":{}}', '{"version":"3","lessons":{}}', '\u0000'
]) {
  test(`a progress.json that holds ${JSON.stringify(text)} is set aside, and passes and copies stay`, async (t) => {
    const entry = await makeEntry(t)
    await openCopy(entry)
    await saveResult(entry, record({ ratio: 5 }))
    const file = progressFile(entry)
    await nodeFs.writeFile(file, text)
    const { state, ratio, attempts, setAside } = await readProgress(entry)
    assert.deepEqual({ state, ratio, attempts }, { state: 'pass', ratio: 5, attempts: 1 })
    assert.equal(setAside, path.join(path.dirname(file), 'progress.unreadable-1.json'))
    assert.equal(await nodeFs.readFile(setAside, 'utf8'), text)
    assert.equal((await readProgress(entry)).setAside, null)
    await nodeFs.writeFile(file, text)
    await changeNotes(entry, () => ({ hints: 1 }))
    assert.equal((await readProgress(entry)).hints, 1)
    assert.equal(await nodeFs.readFile(setAside.replace(/-1\.json$/, '-2.json'), 'utf8'), text)
  })
}

test('an entry of progress.json that makes no sense costs that alone', async (t) => {
  const entry = await makeEntry(t)
  const other = await resolveLesson('1', { root: entry.root, env: {} })
  await changeNotes(other, () => ({ hints: 1 }))
  const file = progressFile(entry)
  const whole = JSON.parse(await nodeFs.readFile(file, 'utf8'))
  for (const notes of [null, 7, [], { hints: 'two', attempts: -1, history: [3, { at: 1 }], startedFrom: {} }]) {
    await nodeFs.writeFile(file, JSON.stringify({ ...whole, lessons: { ...whole.lessons, [entry.id]: notes } }))
    const { hints, attempts, history, setAside } = await readProgress(entry)
    assert.deepEqual({ hints, attempts, history, setAside }, { hints: 0, attempts: 0, history: [], setAside: null })
    assert.equal((await readProgress(other)).hints, 1)
  }
})

test('a prediction that makes no sense is none, and costs that alone', async (t) => {
  const entry = await makeEntry(t)
  const file = progressFile(entry)
  await changeNotes(entry, () => ({ prediction: [{ question: 'What takes the time?', answer: 'the loop' }] }))
  assert.deepEqual((await readProgress(entry)).prediction, [{ question: 'What takes the time?', answer: 'the loop' }])
  for (const wrong of [7, 'the loop', { time: '' }, [], [{ question: 1, answer: 'x' }, null]]) {
    const lessons = { [entry.id]: { prediction: wrong, hints: 1 } }
    await nodeFs.writeFile(file, JSON.stringify({ version: 3, lessons }))
    const { hints, prediction } = await readProgress(entry)
    assert.deepEqual({ hints, prediction }, { hints: 1, prediction: null })
  }
})

test('what a newer workshop wrote is neither read nor touched', async (t) => {
  const entry = await makeEntry(t)
  const file = progressFile(entry)
  await nodeFs.mkdir(path.dirname(file))
  await nodeFs.writeFile(file, '{"version":4,"lessons":[]}')
  assert.equal((await readProgress(entry)).setAside, null)
  await assert.rejects(changeNotes(entry, () => ({ hints: 1 })), { name: 'WorkshopError', message: /newer workshop/ })
  assert.equal(await nodeFs.readFile(file, 'utf8'), '{"version":4,"lessons":[]}')
})

test('a copy knows that the slow server has changed since, until it is made again or kept on purpose', async (t) => {
  const entry = await makeEntry(t)
  await openCopy(entry)
  assert.equal((await readProgress(entry)).isOutdated, false)
  await nodeFs.appendFile(path.join(entry.slowDir, 'server.js'), '// changed\n')
  assert.equal((await readProgress(entry)).isOutdated, true)
  await keepCopy(entry)
  assert.equal((await readProgress(entry)).isOutdated, false)
  await nodeFs.appendFile(path.join(entry.slowDir, 'server.js'), '// once more\n')
  assert.equal((await readProgress(entry)).isOutdated, true)
  await resetCopy(entry)
  assert.equal((await readProgress(entry)).isOutdated, false)
})

test('a save counts as work on a lesson, and so does a check', async (t) => {
  const entry = await makeEntry(t)
  assert.equal((await readProgress(entry)).touched, null)
  await openCopy(entry)
  const savedAt = new Date('2030-01-02T03:04:05.000Z')
  await nodeFs.utimes(path.join(entry.workspaceDir, 'server.js'), savedAt, savedAt)
  assert.equal((await readProgress(entry)).touched, savedAt.toISOString())
  await saveResult(entry, record({ startedAt: '2031-01-01T00:00:00.000Z' }))
  assert.equal((await readProgress(entry)).touched, '2031-01-01T00:00:00.000Z')
})

test('next is the lesson last worked on, then the first after it that is not passed, then the first of all', () => {
  /** @param {string} states p passed, f failed, - not started @param {number} [worked] on this lesson last, from 1 */
  const rowsOf = (states, worked) => [...states].map((state, at) => ({
    number: at + 1,
    state: /** @type {'pass' | 'fail' | 'not started'} */ ({ p: 'pass', f: 'fail', '-': 'not started' }[state]),
    touched: state === '-' ? null : `2026-11-2${at + 1 === worked ? 9 : 0}T10:00:00.000Z`
  }))
  for (const [states, worked, expected] of /** @type {[string, number | undefined, number | undefined][]} */ ([
    ['----', undefined, 1],
    ['-f--', 2, 2],
    ['ff--', 1, 1],
    ['-p--', 2, 3],
    ['-ppp', 4, 1],
    ['fpp-', 3, 4],
    ['fppp', 3, 1],
    ['pppp', 2, undefined]
  ])) assert.equal(nextRow(rowsOf(states, worked))?.number, expected, states)
  const rows = rowsOf('ff-p', 1)
  assert.equal(nextRow(rows, { after: rows[0] })?.number, 2)
  assert.equal(nextRow(rows, { after: rows[1] })?.number, 3)
  const last = rowsOf('pfpp', 2)
  assert.equal(nextRow(last, { after: last[1] }), null)
})

/** @param {{ workspaceDir: string }} entry */
function progressFile ({ workspaceDir }) {
  return path.join(path.dirname(workspaceDir), 'progress.json')
}

/** @param {{ verdict?: string, ratio?: number, startedAt?: string, gates?: object[] }} given @returns {any} */
function record ({ verdict = 'pass', ratio = 4, startedAt = '2026-11-21T10:33:05.000Z', gates }) {
  return { ...passed(), verdict, startedAt, gates: (gates ?? [{ ratio }]).map(gate) }
}
