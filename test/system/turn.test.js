import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test from 'node:test'
import { followTurn, takeTurn } from '../../runner/system/index.js'
import { temporaryFolder } from '../temporary.js'

test('a turn that is free is taken at once, also a second time', async (t) => {
  const name = temporaryFolder(t)
  for (const about of ['first', 'second']) {
    const turn = await takeTurn(name, { about, onWait: () => assert.fail('nobody has it') })
    await turn.release()
  }
})

test('who comes second is told what is going on, and gets the turn when the first gives it back', async (t) => {
  const name = temporaryFolder(t)
  const first = await takeTurn(name, { about: 'a check of lesson 3' })
  /** @type {string[]} */
  const order = []
  const told = withResolvers()
  const second = takeTurn(name, { onWait: told.resolve }).then((turn) => {
    order.push('second')
    return turn
  })
  assert.equal(await told.promise, 'a check of lesson 3')
  order.push('first')
  await first.release()
  await (await second).release()
  assert.deepEqual(order, ['first', 'second'])
})

test('of many that wait, one has the turn at any moment', async (t) => {
  const name = temporaryFolder(t)
  let holders = 0
  let taken = 0
  await Promise.all(Array.from({ length: 12 }, async () => {
    const turn = await takeTurn(name)
    assert.equal(++holders, 1)
    await new Promise((resolve) => setImmediate(resolve))
    holders--
    taken++
    await turn.release()
  }))
  assert.equal(taken, 12)
})

test('different names do not wait for each other', async (t) => {
  const turns = await Promise.all([takeTurn(temporaryFolder(t)), takeTurn(temporaryFolder(t))])
  await Promise.all(turns.map((turn) => turn.release()))
})

test('waiting ends when it is told to', async (t) => {
  const name = temporaryFolder(t)
  const turn = await takeTurn(name)
  const controller = new AbortController()
  const waiting = takeTurn(name, { signal: controller.signal, onWait: () => controller.abort() })
  await assert.rejects(waiting, { name: 'AbortError' })
  await turn.release()
})

test('who follows a turn hears all that its holder publishes, also what came before, and its end', async (t) => {
  const name = temporaryFolder(t)
  assert.equal(await followTurn(name, { onAbout: () => assert.fail('nobody has it') }), false)
  const turn = await takeTurn(name, { about: 'a check of lesson 3' })
  turn.publish({ before: 'ü'.repeat(100_000) })
  /** @type {unknown[]} */
  const heard = []
  const first = withResolvers()
  const followed = followTurn(name, {
    onAbout: (about) => heard.push(about),
    onLine: (line) => {
      heard.push(line)
      first.resolve(null)
    }
  })
  await first.promise
  turn.publish({ after: 1 })
  turn.publish({ after: 2 })
  await turn.release()
  assert.equal(await followed, true)
  assert.deepEqual(heard, ['a check of lesson 3', { before: 'ü'.repeat(100_000) }, { after: 1 }, { after: 2 }])
})

test('following ends when it is told to', async (t) => {
  const name = temporaryFolder(t)
  const turn = await takeTurn(name)
  const controller = new AbortController()
  await assert.rejects(followTurn(name, { onAbout: () => controller.abort(), signal: controller.signal }),
    { name: 'AbortError' })
  await turn.release()
})

test('the turn of a process that ends without giving it back is free again', async (t) => {
  const name = temporaryFolder(t)
  const module = new URL('../../runner/system/index.js', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', `
    const { takeTurn } = await import(${JSON.stringify(module)})
    await takeTurn(${JSON.stringify(name)}, { about: 'the other' })
    process.stdin.on('data', () => process.exit()).on('end', () => process.exit())
    console.log('taken')`], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.stdin.end())
  await once(child.stdout, 'data')
  /** @type {string[]} */
  const told = []
  const turn = await takeTurn(name, {
    onWait: (about) => {
      told.push(about)
      child.stdin.write('end')
    }
  })
  assert.deepEqual(told, ['the other'])
  await turn.release()
})

/** Promise.withResolvers is younger than Node 20. */
function withResolvers () {
  let resolve = (/** @type {any} */ value) => value
  const promise = new Promise((_resolve) => { resolve = _resolve })
  return { promise, resolve }
}
