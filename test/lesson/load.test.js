import assert from 'node:assert/strict'
import { unlink } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { findLessons, loadLesson, readNames, resolveLesson } from '../../runner/lesson/index.js'
import { problemsOf } from '../../runner/lesson/load.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { makeRepository, wholeLesson } from './fixture.js'
import { removeFolder } from '../temporary.js'

const entry = { id: 'in-memory-json', folder: '03-in-memory-json' }

for (const [what, text, expected] of /** @type {[string, string, RegExp][]} */ ([
  ['cannot be parsed', 'export default {', /lesson\.js cannot be imported: /],
  ['throws', 'throw new Error("on import")', /lesson\.js cannot be imported: on import/],
  ['imports a file that is not there', 'import "./gone.js"', /lesson\.js cannot be imported: Cannot find module/],
  ['has no default export', 'export const lesson = 1', /lesson\.js: the default export: must be a lesson/],
  ['is an empty object', 'export default {}', /lesson\.js: title: must be a line of text, got nothing\n/]
])) {
  test(`a lesson.js that ${what} is told with its name`, async (t) => {
    const root = await makeRepository(t, { 'lessons/03-in-memory-json/lesson.js': text })
    await assert.rejects(loadLesson(await resolveLesson('3', { root })), (error) => {
      assert.ok(error instanceof WorkshopError)
      assert.ok(error.message.startsWith(path.join('lessons', '03-in-memory-json', 'lesson.js')))
      assert.match(error.message, expected)
      return true
    })
  })
}

test('a lesson.js or a slow server that is gone is told with the command that brings it back', async (t) => {
  const root = await makeRepository(t)
  const found = await resolveLesson('3', { root })
  removeFolder(found.slowDir)
  await assert.rejects(loadLesson(found), { name: 'WorkshopError', message: /slow-servers.+`git checkout -- / })
  await unlink(path.join(found.dir, 'lesson.js'))
  await assert.rejects(loadLesson(found), {
    name: 'WorkshopError',
    message: /lesson\.js cannot be read \(ENOENT\): `git checkout/
  })
})

test('the validator finds nothing wrong with a whole lesson', () => {
  assert.deepEqual(problemsOf(wholeLesson(), entry), [])
})

test('a lesson may leave out what is optional', () => {
  const lesson = wholeLesson()
  const { knownToFail, sourceHints, ...rest } = lesson
  assert.deepEqual(problemsOf(rest, entry), [])
})

for (const [what, spoil, expected] of /** @type {[string, (lesson: any) => void, string | RegExp][]} */ ([
  ['no title', (l) => { delete l.title }, 'title: must be a line of text, got nothing'],
  ['a summary of two lines', (l) => { l.summary = 'a\nb' }, /^summary: must be a line of text/],
  ['the id of another folder', (l) => { l.id = 'other' },
    'id: must be "in-memory-json", as in the name of the folder, not "other"'],
  ['a misspelt field', (l) => { l.gate = [] }, 'gate: there is no such field, did you mean "gates"?'],
  ['data that is no function', (l) => { l.data = {} }, 'data: must be a function, got an object'],
  ['a model that is no function', (l) => { l.model = 1 }, 'model: must be a function, got 1'],
  ['an empty contract', (l) => { l.contract = []; l.knownToFail = [] },
    'contract: must be a list with at least one item, got a list'],
  ['a check without run', (l) => { delete l.contract[0].run }, 'contract[0].run: must be a function, got nothing'],
  ['a check at no known time', (l) => { l.contract[0].when = ['later'] },
    /^contract\[0\]\.when: must be a list of "before"/],
  ['two checks of one name', (l) => { l.contract[0].name = 'is polite' },
    'contract[1].name: must differ from the others, "is polite" is taken'],
  ['a check that is null', (l) => { l.contract[0] = null }, 'contract[0]: must be an object, got null'],
  ['a known failure of no check', (l) => { l.knownToFail[0].check = 'polite' },
    'knownToFail[0].check: must be the name of a check of the contract ("answers", "is polite"), got "polite"'],
  ['a known failure without a reason', (l) => { delete l.knownToFail[0].why },
    'knownToFail[0].why: must be a line of text, got nothing'],
  ['a load without connections', (l) => { delete l.loads.mixed.connections },
    'loads.mixed.connections: must be a whole number from 1, got nothing'],
  ['half a connection', (l) => { l.loads.mixed.connections = 0.5 },
    'loads.mixed.connections: must be a whole number from 1, got 0.5'],
  ['a load without a stream', (l) => { delete l.loads.mixed.stream },
    'loads.mixed.stream: must be a function, got nothing'],
  ['a slice of no length', (l) => { l.loads.mixed.sliceMs = 0 },
    'loads.mixed.sliceMs: must be a number above 0, got 0'],
  ['a probe without a rate', (l) => { delete l.loads.mixed.probe.rate },
    'loads.mixed.probe.rate: must be a number above 0, got nothing'],
  ['a probe that is no object', (l) => { l.loads.mixed.probe = 50 }, 'loads.mixed.probe: must be an object, got 50'],
  ['a misspelt field of a load', (l) => { l.loads.mixed.conections = 1 },
    'loads.mixed.conections: there is no such field, did you mean "connections"?'],
  ['no gates', (l) => { delete l.gates }, 'gates: must be a list with at least one item, got nothing'],
  ['a gate on no load', (l) => { l.gates[0].load = 'mixd' },
    'gates[0].load: must be the name of a load ("mixed", "counted"), got "mixd"'],
  ['a gate on a load called like a built-in', (l) => { l.gates[1].load = 'constructor' },
    /^gates\[1\]\.load: must be the name of a load/],
  ['a gate of no kind', (l) => { l.gates[0].kind = 'speed' }, /^gates\[0\]\.kind: must be a kind of gate \("rate"/],
  ['a target that requires nothing', (l) => { l.gates[0].target = 0 },
    'gates[0].target: must be a number above 0, or a function of the machine, got 0'],
  ['a target that is no number', (l) => { l.gates[0].target = NaN }, /^gates\[0\]\.target: must be a number above 0/],
  ['a gate that says nowhere to look', (l) => { l.gates[0].look = '' },
    'gates[0].look: must be a line of text, got ""'],
  ['a percentile of 100', (l) => { l.gates[1].percentile = 100 },
    'gates[1].percentile: must be a number between 0 and 100, got 100'],
  ['a percentile of a rate', (l) => { l.gates[0].percentile = 99 },
    'gates[0].percentile: must be absent, only gates of latency and refusal have one'],
  ['a degradation gate on an endless load', (l) => { l.gates[2].load = 'mixed' },
    /^gates\[2\]\.load: a degradation gate .+ loads\.mixed must have `exactly`/],
  ['a gate with tiers and a target', (l) => { l.gates[0].tiers = { low: 2, high: 3 } },
    /^gates\[0\]\.target: must be absent/],
  ['tiers that do not rise', (l) => { delete l.gates[0].target; l.gates[0].tiers = { low: 3, high: 2 } },
    /^gates\[0\]\.tiers: must be two or more names/],
  ['a half-way mark beyond the target', (l) => { l.gates[0].halfway = l.gates[0].target + 1 },
    /^gates\[0\]\.halfway: must be a number on the way to the target/],
  ['a refusal in a closed loop', (l) => { l.gates[0].kind = 'refusal' },
    /^gates\[0\]\.load: only an open loop .+ must have `arrivals`/],
  ['a retained gate without batches', (l) => { l.gates[0].kind = 'retained' },
    /^gates\[0\]\.load: memory .+ must have `batches`/],
  ['the latency of a closed loop', (l) => { l.gates[1].of = 'load' }, /^gates\[1\]\.load: .+ must have `arrivals`/],
  ['batches of no size', (l) => { l.loads.mixed.batches = 5 }, /^loads\.mixed\.exactly: must be the size of a batch/],
  ['arrivals of a fixed number', (l) => { l.loads.counted.arrivals = 2 }, /^loads\.counted\.exactly: must be absent/],
  ['a latency gate without a probe', (l) => { delete l.loads.mixed.probe },
    /^gates\[1\]\.load: a latency gate .+ loads\.mixed must have `probe`/],
  ['two gates of one name', (l) => { l.gates[1].name = 'rate' },
    'gates[1].name: must differ from the others, "rate" is taken'],
  ['a source hint of text', (l) => { l.sourceHints[0].pattern = 'Sync' },
    'sourceHints[0].pattern: must be a regular expression, got "Sync"'],
  ['no mechanism', (l) => { delete l.mechanism }, 'mechanism: must be an object, got nothing'],
  ['a mechanism that expects nothing', (l) => { delete l.mechanism.expected },
    'mechanism.expected: must be a line of text, got nothing'],
  ['a mechanism in no load', (l) => { l.mechanism.load = 'none' },
    'mechanism.load: must be the name of a load ("mixed", "counted"), got "none"'],
  ['a CPU time that does nothing known', (l) => { l.mechanism.cpuPerRequest = 'rises' },
    'mechanism.cpuPerRequest: must be what the CPU time does ("falls", "stays"), got "rises"']
])) {
  test(`a lesson with ${what} is refused for that alone`, () => {
    const lesson = wholeLesson()
    spoil(lesson)
    const problems = problemsOf(lesson, entry)
    assert.equal(problems.length, 1, problems.join('\n'))
    if (typeof expected === 'string') assert.equal(problems[0], expected)
    else assert.match(problems[0], expected)
  })
}

for (const nonsense of [undefined, null, 1, 'lesson', [], () => {}]) {
  const kind = Array.isArray(nonsense) ? 'a list' : typeof nonsense
  test(`a lesson that is ${kind} (${String(nonsense)}) is refused without an exception`, () => {
    assert.deepEqual(problemsOf(nonsense, entry), ['the default export: must be a lesson, an object'])
  })
}

/** @returns {any} a lesson with its own check, with nothing wrong */
function ownLesson () {
  return {
    id: 'in-memory-json',
    title: 'Title',
    summary: 'Measure.',
    check: { writes: 'poem', file: 'poem.js', checks: ['rhymes'], grade: () => {}, bench: () => {} },
    gates: [{ name: 'apart', kind: 'apart', target: 1.3, look: 'Where?' }]
  }
}

test('a whole lesson with its own check has no problems', () => {
  assert.deepEqual(problemsOf(ownLesson(), entry), [])
})

for (const [what, spoil, expected] of /** @type {[string, (lesson: any) => void, RegExp][]} */ ([
  ['no object', (l) => { l.check = 'poem' }, /^check: must be an object/],
  ['no way to grade', (l) => { delete l.check.grade }, /^check\.grade: must be a function/],
  ['loads', (l) => { l.loads = {} }, /^loads: there is no such field/],
  ['a gate of another kind', (l) => { l.gates[0].kind = 'rate' },
    /^gates\[0\]\.kind: must be a kind of gate \("apart", "alike"\)/],
  ['two gates of one name', (l) => { l.gates.push({ ...l.gates[0] }) }, /^gates\[1\]\.name: must differ/]
])) {
  test(`a lesson with its own check with ${what} is refused`, () => {
    const lesson = ownLesson()
    spoil(lesson)
    assert.match(problemsOf(lesson, entry)[0] ?? '', expected)
  })
}

test('the names in the text of a lesson.js are those of the lesson', async (t) => {
  for (const entry of await findLessons()) {
    const { lesson: { title, summary, part } } = await loadLesson(entry)
    assert.deepEqual(await readNames(entry), { title, summary, part })
  }
  const root = await makeRepository(t, {
    'lessons/01-sync-login/lesson.js': "export default {\n  title: 'One',\n  summary:\n    'Two.',\n  ...gone\n}\n"
  })
  const [spelled, computed] = await findLessons({ root })
  assert.deepEqual(await readNames(spelled), { title: 'One', summary: 'Two.', part: '' })
  assert.deepEqual(await readNames(computed), { title: 'Title of in-memory-json', summary: 'Make it fast.', part: '' })
})
