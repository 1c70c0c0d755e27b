import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { prepareWorker } from '../../classroom/commands/grading.js'
import { signalChild } from '../../runner/process/index.js'
import { setVariables } from '../environment.js'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { cli, endAt, runCommand, runNode } from './run.js'

test('class prints each address on a separate line, and Ctrl-C closes it', async (t) => {
  const { code, stdout, stderr } = await runNode([cli, 'class', '--no-open'], {
    env: { ...envFor(await makeRepository(t)), NO_COLOR: '1' },
    started: (child) => child.stdout.on('data', (text) => { if (/Ctrl-C/.test(text)) signalChild(child, 'SIGINT') })
  })
  assert.deepEqual([code, stderr], [130, ''])
  const [, join] = /^ {2}http:\/\/127\.0\.0\.1:\d+\/(\S+)$/m.exec(stdout) ?? []
  assert.match(stdout, new RegExp(`^ {2}${join}$`, 'm'))
  assert.match(stdout, /^ {2}http:\/\/127\.0\.0\.1:\d+\/class#[\w-]{32}$/m)
  assert.match(stdout, /^ {2}npm run join http:\S+ -- --name "Ada"$/m)
  assert.match(stdout, /\nOnly this machine can reach it: .+\n.+\nClosed\. Everything is kept\.\n$/)
})

const onLinux = { skip: process.platform !== 'linux' && 'Another program opens files there.' }

test('the instructor’s link is no argument of a process, and is not printed: a file of theirs leads there', onLinux,
  async (t) => {
    const root = await makeRepository(t)
    const bin = path.join(root, 'bin')
    fs.mkdirSync(bin)
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${bin}/arguments'\n`
    fs.writeFileSync(path.join(bin, 'xdg-open'), script, { mode: 0o755 })
    const { stdout } = await untilOpen(root, [], { PATH: `${bin}${path.delimiter}${process.env.PATH}` })
    assert.doesNotMatch(stdout, /#/)
    assert.match(stdout, /^Your own page is open in the browser: --no-open prints its link instead\.$/m)
    const file = fs.readFileSync(path.join(bin, 'arguments'), 'utf8').trim()
    assert.ok(path.isAbsolute(file), file)
    assert.equal(fs.statSync(file).mode & 0o777, 0o600)
    assert.match(fs.readFileSync(file, 'utf8'), /content="0;url=http:\/\/127\.0\.0\.1:\d+\/class#[\w-]{32}"/)
  })

test('--new-secret: another link, and the same code', async (t) => {
  const root = await makeRepository(t)
  const [before, after] = [await untilOpen(root, ['--no-open']), await untilOpen(root, ['--no-open', '--new-secret'])]
  const [codes, secrets] = [/^ {2}\w{4}-\w{4}$/m, /#[\w-]{32}$/m]
    .map((one) => [before, after].map(({ stdout }) => one.exec(stdout)?.[0] ?? assert.fail(stdout)))
  assert.equal(codes[0], codes[1])
  assert.notEqual(secrets[0], secrets[1])
})

test('what does not go together, or cannot be, is one sentence', async (t) => {
  const root = await makeRepository(t, { file: '' })
  for (const [args, sentence] of new Map([
    [['--host', '203.0.113.1'], /^203\.0\.113\.1 isn’t an address of this machine \(E\w+\): name one that it has\.\n$/],
    [['--dir', path.join(root, 'file')], /^The folder .+file can’t be used \(E\w+\): name another one with --dir\.\n$/],
    [['--rehearse', '--host', '0.0.0.0'], /^--rehearse doesn’t open a room, so it doesn’t take --host\.\n$/],
    [['--seconds', '60'], /^--seconds goes with --rehearse\.\n$/],
    [['lesson-3'], /^"lesson-3" is one word too many: only --rehearse takes lessons\.\nUsage: /],
    [['--rehearse', 'nonsense'], /^There is no lesson "nonsense"/]
  ])) {
    const { code, stdout, stderr } = await runCommand(['class', '--no-open', ...args], { env: envFor(root) })
    assert.deepEqual([code, stdout], [3, ''])
    assert.match(stderr, sentence)
  }
  const env = { ...envFor(root), npm_lifecycle_event: 'class', npm_config_host: 'true' }
  const { code, stderr } = await runCommand(['class', '0.0.0.0'], { env })
  assert.equal(code, 3)
  assert.match(stderr, /as in `npm run class -- --host 0\.0\.0\.0`/)
})

test('Ctrl-C ends a rehearsal', async (t) => {
  const env = envFor(await makeRepository(t))
  const { code, stderr } = await runCommand(['class', '--rehearse', '3'], { env, onOutput: endAt() })
  assert.deepEqual([code, stderr], [130, ''])
})

test('what grades without a sandbox says so loudly', onLinux, async (t) => {
  const root = await makeRepository(t)
  setVariables(t, { PATH: path.join(root, 'nothing') })
  /** @type {string[]} */
  const said = []
  const env = { ...envFor(root), MAKE_IT_FAST_AS_ROOT: '1' }
  const given = { env, signal: new AbortController().signal, examine: async () => [] }
  const tell = (/** @type {string} */ sentence) => { said.push(sentence) }
  await assert.rejects(prepareWorker({ ...given, tell }))
  await prepareWorker({ ...given, tell, isSandboxOptional: true })
  assert.match(said.join('\n'), /NO SANDBOX: submissions run with all your rights, and results are unverified\.$/)
  // A room without one stays open.
  const { code, stdout } =
    await runCommand(['class', '--grade', '--no-open'], { env, onOutput: endAt(/Nothing is graded/) })
  assert.equal(code, 130)
  assert.match(stdout, /^Nothing is graded on this machine\. There is no sandbox for other people’s code here: /m)
})

test('worker refuses what is no address of Redis, and doesn’t repeat it', async (t) => {
  const root = await makeRepository(t)
  const env = { ...envFor(root), REDIS_URL: 'https://:secret@redis.example' }
  const { code, stdout, stderr } = await runNode([cli, 'worker'], { env })
  assert.equal(code, 3)
  assert.match(stderr, /^Say where Redis is/)
  assert.doesNotMatch(stdout + stderr, /secret/)
})

/** @param {string} root @param {string[]} args @param {NodeJS.ProcessEnv} [more] for its environment */
function untilOpen (root, args, more = {}) {
  return runCommand(['class', ...args], { env: { ...envFor(root), NO_COLOR: '1', ...more }, onOutput: endAt(/Ctrl-C/) })
}
