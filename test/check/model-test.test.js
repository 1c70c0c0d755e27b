import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testModel, startSoak } from '../../runner/check/model-test.js'
import { rules } from '../../runner/contract/model-test/sequence-messages.js'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { startGenerator } from '../../runner/load/index.js'
import { createRandom } from '../../runner/random.js'
import { withSession } from '../../runner/session/index.js'
import { temporaryFolder } from '../temporary.js'

/**
 * @import { TestContext } from 'node:test'
 * @import { ContractResult } from '../../runner/judge/index.js'
 * @import { Generator } from '../../runner/load/index.js'
 */

const root = fileURLToPath(new URL('model-test-root', import.meta.url))
const [found] = await findLessons({ root })
// It has no solution: it isn't graded for speed.
const entry = await loadLesson({ ...found, solutionDir: found.slowDir })
const server = fs.readFileSync(path.join(entry.slowDir, 'server.js'), 'utf8')

/**
 * What a sequence says of the server with one place changed.
 *
 * @param {TestContext} t
 * @param {[from: string, to: string]} change
 * @param {{ agedMs?: number, seed?: string }} [options] agedMs: ask two servers that are so old
 * @returns {Promise<ContractResult | undefined>} the rule that is broken
 */
async function brokenBy (t, [from, to], { agedMs, seed = 'sequence' } = {}) {
  assert.ok(server.includes(from), from)
  const dir = temporaryFolder(t)
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  fs.writeFileSync(path.join(dir, 'server.js'), server.replace(from, to))
  return withSession(entry, { seed }, async (session) => {
    /** @type {Promise<Generator> | undefined} */
    let generator
    const context = {
      lesson: entry.lesson,
      session,
      submission: session.openSubmission(dir),
      random: createRandom(seed),
      cores: 2,
      getGenerator: () => (generator ??= startGenerator(session)),
      onProgress: () => {},
      phase: () => {}
    }
    const later = agedMs === undefined ? null : await startSoak(context)
    await sleep(agedMs ?? 0)
    const { results, fault } = await (later?.() ?? testModel(context, { shrinkMs: 60_000 }))
    assert.equal(fault, null)
    assert.ok(results.length > 3)
    return results.find(({ status }) => status === 'fail')
  })
}

/**
 * Of several rules that a fault breaks, the sequence and the machine's moment decide which is told: it is refused with
 * every seed, and told as `rule` with one of a few.
 *
 * @param {TestContext} t
 * @param {[from: string, to: string]} change
 * @param {string} rule
 */
async function brokenAs (t, change, rule) {
  const told = []
  for (const seed of ['one', 'two', 'three', 'four', 'five']) {
    const broken = await brokenBy(t, change, { seed })
    assert.ok(broken, `not refused with the seed ${seed}`)
    if (broken.name === rule) return broken
    told.push(broken.name)
  }
  assert.fail(`never told as “${rule}”, but as ${told.join(', ')}`)
}

test('a right server breaks no rule, fresh or soaked', async (t) => {
  const same = /** @type {[string, string]} */ (["'not_found'", '"not_found"'])
  assert.equal(await brokenBy(t, same), undefined)
  assert.equal(await brokenBy(t, same, { agedMs: 500 }), undefined)
})

test('a wrong answer is told as one line for a shell', async (t) => {
  const broken = await brokenAs(t, ['return answer(404', 'return answer(400'], 'sends one note')
  assert.equal(broken.requests?.length, 1)
  assert.match(broken.requests?.[0] ?? '', /^curl -i (--compressed )?'http:\/\/127\.0\.0\.1:PORT\/notes\/\d'$/)
  assert.match(broken.message, /^GET \/notes\/\d: yours differs .* in the status: expected 404 .* got 400/)
})

test('a write that later reads do not show breaks its effect', async (t) => {
  const stale = "if (req.url === '/notes') return answer(200, globalThis.list ??= structuredClone(notes))"
  const change = /** @type {[string, string]} */ (["if (req.url === '/notes') return answer(200, notes)", stale])
  const broken = await brokenAs(t, change, 'shows a new note in the next read')
  assert.equal(broken.requests?.length, 3)
})

test('what is lost over a restart, and what two writes at once lose, have separate rules', async (t) => {
  await brokenAs(t, ['fs.existsSync(file)', 'false'], rules.restart)
  const late = 'await new Promise((resolve) => setTimeout(resolve, 20)); notes[note.id - 1] = note'
  await brokenAs(t, ['notes.push(note)', late], rules.together)
})

test('what goes wrong while many others ask is seen', async (t) => {
  const broken = await brokenBy(t, [
    "if (req.url === '/notes')",
    "globalThis.asked = (globalThis.asked ?? 0) + 1\n  if (req.url === '/notes' && globalThis.asked > 80) " +
      "return answer(200, [])\n  if (req.url === '/notes')"
  ])
  assert.equal(broken?.name, rules.load)
})

test('what goes wrong some time after the start is seen in servers that have been running for a while', async (t) => {
  const forgets = /** @type {[string, string]} */ ([
    "if (req.url === '/notes')",
    "if (req.url === '/notes' && process.uptime() > 9) return answer(200, [])\n  if (req.url === '/notes')"
  ])
  assert.equal(await brokenBy(t, forgets), undefined)
  const broken = await brokenBy(t, forgets, { agedMs: 10_000 })
  assert.equal(broken?.name, rules.later)
})
