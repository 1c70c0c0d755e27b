import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { followTurn, signalChild, takeTurn } from '../../runner/process/index.js'
import { runtimeFolder } from '../../runner/process/turn.js'
import { setVariables } from '../environment.js'
import { temporaryFolder } from '../temporary.js'

test('a turn that is free is taken at once, also a second time', async (t) => {
  const name = temporaryFolder(t)
  for (const about of ['first', 'second']) {
    const turn = await takeTurn(name, { about, onWait: () => assert.fail('the turn is free') })
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

test('who waits is told the place in the queue, again when somebody before gives up', async (t) => {
  const name = temporaryFolder(t)
  const turn = await takeTurn(name)
  const [firstTold, controller] = [withResolvers(), new AbortController()]
  const first = takeTurn(name, { signal: controller.signal, onWait: (about, number) => firstTold.resolve(number) })
  assert.equal(await firstTold.promise, 1)
  /** @type {number[]} */
  const places = []
  const second = takeTurn(name, {
    onWait: (about, number) => {
      places.push(number)
      if (number === 2) controller.abort()
      else turn.release()
    }
  })
  await assert.rejects(first, { name: 'AbortError' })
  await (await second).release()
  assert.deepEqual(places, [2, 1])
})

test('who waits is told nothing again when others join behind', async (t) => {
  const name = temporaryFolder(t)
  const turn = await takeTurn(name, { about: 'a check of lesson 3' })
  const controller = new AbortController()
  /** @type {string[]} */
  const told = []
  const waiting = []
  for (const who of ['first', 'second', 'third', 'fourth']) {
    const joined = withResolvers()
    const onWait = (/** @type {string} */ about, /** @type {number} */ number) => {
      told.push(`${who}: ${number}, ${about}`)
      joined.resolve(who)
    }
    waiting.push(takeTurn(name, { signal: controller.signal, onWait }))
    await joined.promise
  }
  const toldWhileTaken = [...told]
  controller.abort()
  await Promise.allSettled(waiting)
  await turn.release()
  assert.deepEqual(toldWhileTaken, ['first: 1', 'second: 2', 'third: 3', 'fourth: 4'].map((place) =>
    `${place}, a check of lesson 3`))
})

test('of many that wait, one has the turn at any moment', async (t) => {
  await takeTwelve(temporaryFolder(t))
})

test('different names do not wait for each other', async (t) => {
  const turns = await Promise.all([takeTurn(temporaryFolder(t)), takeTurn(temporaryFolder(t))])
  await Promise.all(turns.map((turn) => turn.release()))
})

test('who follows a turn hears all that its holder publishes, also what came before, and its end', async (t) => {
  const name = temporaryFolder(t)
  assert.equal(await followTurn(name, { onAbout: () => assert.fail('the turn is free') }), false)
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
  const child = await holder(t, name)
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

test('of many that wait for one that is killed, one has the turn at any moment', async (t) => {
  const name = temporaryFolder(t)
  const child = await holder(t, name)
  let waiting = 0
  await takeTwelve(name, () => { if (++waiting === 12) signalChild(child, 'SIGKILL') })
})

const onSockets = { skip: process.platform === 'win32' && 'Windows has named pipes.' }

test('no other account can listen there: the socket is in a folder of mode 0700, and is gone after it', onSockets,
  async (t) => {
    const dir = temporaryFolder(t)
    setVariables(t, { TMPDIR: dir })
    const turn = await takeTurn('any')
    const folder = runtimeFolder()
    assert.equal(path.dirname(folder), dir)
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700)
    const sockets = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => fs.statSync(path.join(folder, name)).isSocket())
    assert.equal(sockets.length, 1)
    await turn.release()
    assert.deepEqual(fs.readdirSync(folder), [])
  })

test('a folder that others may enter, or that leads elsewhere, is refused', onSockets, async (t) => {
  setVariables(t, { TMPDIR: temporaryFolder(t) })
  const folder = runtimeFolder()
  const sentence = /only you may enter, and it isn’t: remove it, or set TMPDIR/
  fs.mkdirSync(folder)
  fs.chmodSync(folder, 0o755)
  await assert.rejects(takeTurn('any'), sentence)
  fs.rmdirSync(folder)
  fs.symlinkSync(temporaryFolder(t), folder)
  await assert.rejects(takeTurn('any'), sentence)
  await assert.rejects(followTurn('any', {}), sentence)
})

test('a temporary folder whose path is too long for a socket: a shorter one', onSockets, async (t) => {
  const long = path.join(temporaryFolder(t), 'x'.repeat(100))
  fs.mkdirSync(long)
  setVariables(t, { TMPDIR: long })
  assert.equal(path.dirname(runtimeFolder()), '/tmp')
  const name = temporaryFolder(t)
  const turn = await takeTurn(name)
  const followed = withResolvers()
  const end = followTurn(name, { onAbout: followed.resolve })
  await followed.promise
  await turn.release()
  assert.equal(await end, true)
})

/** @param {string} name @param {() => void} [onWait] */
async function takeTwelve (name, onWait) {
  let holders = 0
  let taken = 0
  await Promise.all(Array.from({ length: 12 }, async () => {
    const turn = await takeTurn(name, { onWait })
    assert.equal(++holders, 1)
    await new Promise((resolve) => setImmediate(resolve))
    holders--
    taken++
    await turn.release()
  }))
  assert.equal(taken, 12)
}

/**
 * Another process that has the turn, and ends when it is written to.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} name
 */
async function holder (t, name) {
  const module = new URL('../../runner/process/index.js', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', `
    const { takeTurn } = await import(${JSON.stringify(module)})
    await takeTurn(${JSON.stringify(name)}, { about: 'the other' })
    process.stdin.on('data', () => process.exit()).on('end', () => process.exit())
    console.log('taken')`], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.stdin.end())
  await once(child.stdout, 'data')
  return child
}

/** Promise.withResolvers is younger than Node 20. */
function withResolvers () {
  let resolve = (/** @type {any} */ value) => value
  const promise = new Promise((_resolve) => { resolve = _resolve })
  return { promise, resolve }
}
