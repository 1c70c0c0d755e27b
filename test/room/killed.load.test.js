import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { signalChild } from '../../runner/process/index.js'
import { cli, runNode } from '../cli/run.js'
import { makeRepository } from '../lesson/fixture.js'
import { times } from '../shard.js'
import { askRoom, report } from './open.js'

const kills = times(100)
const seats = 5
/** When it is killed: after so many answers, which is somewhere in the middle of others. */
const mostAnswers = 12

const name = `killed ${kills} times while ${seats} seats report, the room has lost nothing that it has acknowledged`

test(name, async (t) => {
  const root = await makeRepository(t)
  const env = { ...process.env, MAKE_IT_FAST_LESSONS: root, NO_COLOR: '1' }
  const args = [cli, 'class', '--no-open', '--dir', path.join(root, 'class')]
  /** @type {string[]} */
  let tokens = []
  /** @type {string[]} */
  const acknowledged = []
  let address = ''
  let secret = ''

  /** What goes wrong while it is open: it is ended all the same. @type {unknown[]} */
  const problems = []

  /** @param {(url: string) => Promise<void>} act @param {NodeJS.Signals} end */
  const withRoom = (act, end) => runNode(args, {
    env,
    started: (child) => {
      const fail = (/** @type {unknown} */ error) => { problems.push(error) }
      let said = ''
      child.stdout.on('data', async (text) => {
        const wasReady = /Ctrl-C/.test(said)
        said += text
        if (wasReady || !/Ctrl-C/.test(said)) return
        const [, found, code] = /Learners:\n {2}(http:\S+\/)(\S+)\n/.exec(said) ?? []
        ;[, secret] = /class#(\S+)/.exec(said) ?? []
        if (address !== '' && found !== address) fail(new Error(`It is no longer at ${address}, but at ${found}.`))
        address = found
        if (tokens.length === 0) tokens = await join(found, code).catch((error) => { fail(error); return [] })
        if (tokens.length > 0) await act(found).catch(fail)
        signalChild(child, end)
      })
    }
  })

  for (let time = 0; time < kills; time++) {
    const before = acknowledged.length
    const wanted = 1 + (time * 5) % mostAnswers
    const { signal } = await withRoom((url) => new Promise((resolve) => {
      for (const token of tokens) {
        reportUntilRefused(url, token, (id) => {
          acknowledged.push(id)
          if (acknowledged.length === before + wanted) resolve()
        })
      }
    }), 'SIGKILL')
    assert.equal(signal, 'SIGKILL')
  }
  await withRoom(async (url) => {
    const { json } = await askRoom(url, 'GET', '/api/class/export.json', undefined, secret)
    const known = new Set(json.reports.map((/** @type {any} */ { id }) => id))
    assert.ok(acknowledged.length >= kills)
    assert.deepEqual(acknowledged.filter((id) => !known.has(id)), [])
  }, 'SIGINT')
  assert.deepEqual(problems, [])
})

/** @param {string} url @param {string} code @returns {Promise<string[]>} tokens */
function join (url, code) {
  return Promise.all(Array.from({ length: seats }, async () =>
    (await askRoom(url, 'POST', '/api/seats', { code, name: 'Ada' })).json.token))
}

/** @param {string} url @param {string} token @param {(id: string) => void} onAcknowledged */
async function reportUntilRefused (url, token, onAcknowledged) {
  for (;;) {
    const one = report()
    const answer = await askRoom(url, 'POST', '/api/seat/reports', one, token).catch(() => null)
    if (answer?.status !== 202) return
    onAcknowledged(one.id)
  }
}
