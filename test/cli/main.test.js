import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { explain } from '../../runner/cli/main.js'
import { signalChild } from '../../runner/process/index.js'
import { temporaryFolder } from '../temporary.js'
import { cli, endAt, runCommand, runNode } from './run.js'

test('no command at all prints all of them on stderr and exits 3', async () => {
  const { code, stdout, stderr } = await runCommand([])
  assert.equal(code, 3)
  assert.equal(stdout, '')
  assert.match(stderr, /^Say which command you want\./)
  assert.match(stderr, /npm run list\n {6}Show all lessons, and how far you are\./)
})

for (const args of [['--help'], ['-h'], ['help']]) {
  test(`${args[0]} prints all commands on stdout and exits 0`, async () => {
    const { code, stdout, stderr } = await runCommand(args)
    assert.equal(code, 0)
    assert.equal(stderr, '')
    assert.match(stdout, /^Usage: npm run <command>/)
    assert.match(stdout, /npm run reset lesson-N/)
  })
}

test('--help after a command prints its help, whatever else is wrong', async () => {
  for (const args of [['hint', '--help'], ['hint', '-h'], ['hint', 'lesson-3', '--nonsense', '-h']]) {
    const { code, stdout, stderr } = await runCommand(args)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /^Usage: npm run hint lesson-N/)
    assert.match(stdout, /--again/)
  }
})

test('an unknown command that resembles none is answered with all of them', async () => {
  for (const name of ['banana', '.', 'constructor', '']) {
    const { code, stderr } = await runCommand([name])
    assert.equal(code, 3)
    assert.ok(stderr.startsWith(`There is no command "${name}": the commands are `), stderr)
    assert.match(stderr, /hint, join, leave, list, new-lesson, next, predict, profile, read, reset/)
  }
})

test('a wrong word or flag is answered with what was probably meant, and the usage', async () => {
  const tooMany = /^"lesson-3" is one word too many: .+\nUsage: npm run/
  for (const [args, sentence] of new Map([
    [['hnit', 'lesson-3'], /^There is no command "hnit": did you mean "hint"\?\nUsage: npm run <command> .+\n$/],
    [['hint', 'lesson-3', '--agian'], /^There is no flag "--agian": did you mean "--again"\?\nUsage: npm run hint/],
    [['hint', 'lesson-3', '--all=yes'], /^Option '--all' does not take an argument\nUsage: npm run hint/],
    [['check', '--server'], /^Option '--server <value>' argument missing\nUsage: npm run check/],
    [['list', 'lesson-3'], tooMany],
    [['reset', 'lesson-3', 'lesson-3'], tooMany],
    [['hint', 'lesson-1', 'lesson-3'], tooMany]
  ])) {
    const { code, stdout, stderr } = await runCommand(args)
    assert.deepEqual({ code, stdout }, { code: 3, stdout: '' })
    assert.match(stderr, sentence)
  }
})

test('a command gets its flags and positionals, and its number is the exit code', async (t) => {
  const { run } = await commands(t, { work: 'stdout.write(JSON.stringify({ values, positionals })); return 2' })
  // pnpm passes the two dashes on.
  for (const dashes of [[], ['--']]) {
    const { code, stdout } = await run(['work', 'lesson-3', ...dashes, '--server', 'a b', 'mine'])
    assert.equal(code, 2)
    assert.deepEqual(JSON.parse(stdout), { values: { server: 'a b' }, positionals: ['lesson-3', 'mine'] })
  }
})

test('every command takes --lessons, which wins over the variable', async (t) => {
  const { run } = await commands(t, { work: 'stdout.write(String(env.MAKE_IT_FAST_LESSONS)); return 0' })
  const env = { ...process.env, MAKE_IT_FAST_LESSONS: 'theirs' }
  const { code, stdout, stderr } = await run(['work', '--lessons', 'ours'], { env })
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'ours' })
  assert.match(stderr, /needs the same --lessons again, or the variable\nMAKE_IT_FAST_LESSONS=.+ours\n$/)
  assert.deepEqual(await run(['work'], { env }), { code: 0, stdout: 'theirs', stderr: '' })
  const { stdout: help } = await run(['work', '--help'])
  assert.match(help, /--lessons DIR/)
})

test('--lessons that npm kept is told like any other flag', async (t) => {
  const { run } = await commands(t, { work: 'return 0' })
  const env = { ...process.env, npm_lifecycle_event: 'work', npm_config_lessons: 'true' }
  const { code, stderr } = await run(['work', 'lesson-1', '../ours'], { env })
  assert.equal(code, 3)
  assert.match(stderr, /^npm kept --lessons to itself: .+`npm run work lesson-1 -- --lessons \.\.\/ours`\.\n$/)
})

test('only the file of the command is imported', async (t) => {
  const { run } = await commands(t, { work: 'return 0', other: 'return 0' }, { other: 'throw new Error("imported")' })
  assert.deepEqual(await run(['work']), { code: 0, stdout: '', stderr: '' })
})

test('a flag that npm kept to itself is told, and the command runs', async (t) => {
  const { run } = await commands(t, { work: 'return 0' })
  const env = { ...process.env, npm_lifecycle_event: 'work', npm_config_server: 'there' }
  const { code, stderr } = await run(['work', 'lesson-3'], { env })
  assert.equal(code, 0)
  assert.equal(
    stderr,
    'npm kept --server to itself: put two dashes before the flags, as in `npm run work lesson-3 -- --server there`.\n'
  )
  const given = await run(['work', 'lesson-3', '--server', 'here'], { env })
  assert.equal(given.stderr, '')
})

test('a flag that npm kept, whose value came as a word, is one sentence with the right command', async (t) => {
  const { run } = await commands(t, { work: 'stdout.write("ran"); return 0' })
  const env = { ...process.env, npm_lifecycle_event: 'work', npm_config_server: 'true' }
  for (const [words, command] of new Map([
    [['lesson-3', '/tmp'], 'npm run work lesson-3 -- --server /tmp'],
    [['lesson-3', 'slow', 'a b'], 'npm run work lesson-3 slow -- --server "a b"']
  ])) {
    const { code, stdout, stderr } = await run(['work', ...words], { env })
    assert.deepEqual({ code, stdout }, { code: 3, stdout: '' })
    assert.equal(stderr, `npm kept --server to itself: put two dashes before the flags, as in \`${command}\`.\n`)
  }
})

test('an error that names its fix is printed alone, with its exit code', async (t) => {
  const { run } = await commands(t, {
    work: 'throw new WorkshopError("Do this.")', other: 'throw new WorkshopError("Do that.", { exitCode: 2 })'
  })
  const env = { ...process.env, MAKE_IT_FAST_DEBUG: '' }
  assert.deepEqual(await run(['work'], { env }), {
    code: 3,
    stdout: '',
    stderr: 'Do this.\n'
  })
  assert.deepEqual(await run(['other'], { env }), {
    code: 2,
    stdout: '',
    stderr: 'Do that.\n'
  })
})

test('what others have put into an error can’t drive the terminal', async (t) => {
  const { run } = await commands(t, {
    work: 'throw new WorkshopError("The room says:\\n  \\u001b]0;owned\\u0007\\u001b[2Jno\\u202e")'
  })
  const env = { ...process.env, MAKE_IT_FAST_DEBUG: '' }
  assert.equal((await run(['work'], { env })).stderr, 'The room says:\n  no\n')
})

test('any other exception is one sentence and exit code 3; the stack comes on request', async (t) => {
  const { script, run } = await commands(t, {
    thrown: 'throw new TypeError("x is not y")',
    odd: 'throw null',
    aside: 'setTimeout(() => { throw new Error("aside") }); ' +
      'await new Promise((resolve) => signal.addEventListener("abort", resolve)); return 0',
    promised: 'Promise.reject(new Error("promised")); ' +
      'await new Promise((resolve) => signal.addEventListener("abort", resolve)); return 0',
    emitted: 'process.emit("uncaughtException", new Error("late")); return 1'
  })
  for (const [name, message] of [
    ['thrown', 'x is not y'],
    ['odd', 'null'],
    ['aside', 'aside'],
    ['promised', 'promised'],
    ['emitted', 'late']
  ]) {
    const env = { ...process.env, MAKE_IT_FAST_DEBUG: '' }
    // What isn't thrown by the command itself reaches only a process of its own.
    const { code, stdout, stderr } = await (['thrown', 'odd'].includes(name)
      ? run([name], { env })
      : runNode([script, name], { env }))
    assert.deepEqual({ code, stdout }, { code: 3, stdout: '' })
    assert.equal(
      stderr,
      `This is a bug in the workshop, not in your server (MAKE_IT_FAST_DEBUG=1 shows where): ${message}\n`
    )
  }
  const { stderr } = await run(['thrown'], { env: { ...process.env, MAKE_IT_FAST_DEBUG: '1' } })
  assert.match(stderr, /x is not y\nTypeError: x is not y\n {4}at /)
})

test('a mistake in a function of a lesson is told with its place', () => {
  const error = Object.assign(new TypeError('x is not y'), {
    stack: 'TypeError: x is not y\n    at answers (file:///my/lessons/01-shop/lesson.js:12:3)\n    at file:///w.js:1'
  })
  assert.equal(
    explain(error, {}),
    'The lesson can’t be used: x is not y (lessons/01-shop/lesson.js:12). Correct it there, or report it.'
  )
})

test('a full disk is no bug of the workshop', async (t) => {
  const { run } = await commands(t, { work: 'throw new Error("ENOSPC: no space left on device, write")' })
  const { code, stderr } = await run(['work'])
  assert.equal(code, 3)
  assert.equal(stderr, 'There is no space left where files are written: make room, or set TMPDIR to another folder ' +
    '(ENOSPC: no space left on device, write).\n')
})

test('a package that is not installed is told with the command that installs it', async (t) => {
  const { run } = await commands(t, { work: 'await import("a-package-of-no-name"); return 0' })
  const { code, stderr } = await run(['work'])
  assert.equal(code, 3)
  assert.equal(
    stderr,
    'The package a-package-of-no-name is not installed: run `npm ci` in the workshop’s folder.\n'
  )
})

test('a long output reaches the end of a pipe', async (t) => {
  const { script } = await commands(t, { work: 'stdout.write("x".repeat(3_000_000)); return 1' })
  const { code, stdout } = await runNode([script, 'work'])
  assert.equal(code, 1)
  assert.equal(stdout.length, 3_000_000)
})

test('a reader that goes away is no fault', async (t) => {
  const { script } = await commands(t, {
    work: 'for (let i = 0; i < 200; i++) { stdout.write("x".repeat(100_000)); await new Promise(setImmediate) } ' +
      'return 0'
  })
  const { code, stderr } = await runNode([script, 'work'], {
    started: (child) => child.stdout.once('data', () => child.stdout.destroy())
  })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
})

const cleansUp = `
  stdout.write("ready\\n")
  const alive = setInterval(() => {}, 1000)
  await new Promise((resolve) => signal.addEventListener("abort", resolve))
  await new Promise((resolve) => setTimeout(resolve, 200))
  clearInterval(alive)
  stdout.write("cleaned up\\n")
`
const cleanedUp = { stdout: 'ready\ncleaned up\n', stderr: '' }
const signals = { skip: process.platform === 'win32' && 'Windows has no signals to send' }

for (const [name, expected] of /** @type {[NodeJS.Signals, number][]} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 130]
])) {
  test(`${name} lets the command clean up and exits ${expected}, whatever the command returns`, async (t) => {
    const { run } = await commands(t, { work: `${cleansUp} return 1`, throws: `${cleansUp} signal.throwIfAborted()` })
    for (const command of ['work', 'throws']) {
      assert.deepEqual(await run([command], { onOutput: endAt(/./, name) }), { code: expected, ...cleanedUp })
    }
  })
}

test('a second Ctrl-C does not skip the clean-up', async (t) => {
  const { run } = await commands(t, { work: `${cleansUp} return 0` })
  const onOutput = (/** @type {string} */ said, /** @type {(name: NodeJS.Signals) => void} */ signal) => {
    if (said === 'ready\n') for (const name of /** @type {const} */ (['SIGINT', 'SIGINT', 'SIGTERM'])) signal(name)
  }
  assert.deepEqual(await run(['work'], { onOutput }), { code: 130, ...cleanedUp })
})

test('a fault during the clean-up is told, and the exit code stays that of Ctrl-C', async (t) => {
  const { run } = await commands(t, { work: `${cleansUp} throw new Error("left over")` })
  const { code, stderr } = await run(['work'], { onOutput: endAt() })
  assert.equal(code, 130)
  assert.match(stderr, /: left over\n/)
})

test('what fails because everything is being stopped is no fault of the workshop', signals, async (t) => {
  const { script } = await commands(t, {
    work: `signal.addEventListener('abort', () => { Promise.reject(new Error('cut')) }); ${cleansUp} return 1`
  })
  const result = await runNode([script, 'work'], {
    started: (child) => child.stdout.once('data', () => signalChild(child, 'SIGINT'))
  })
  assert.deepEqual(result, { code: 130, signal: null, ...cleanedUp })
})

test('a command that does not clean up is given up after a while', async (t) => {
  const { run } = await commands(t, { work: 'stdout.write("ready\\n"); await new Promise(() => {})' }, {}, {
    graceMs: 100
  })
  // The time that it has doesn't keep a process alive.
  const alive = setInterval(() => {}, 1000)
  t.after(() => clearInterval(alive))
  assert.equal((await run(['work'], { onOutput: endAt(/./, 'SIGTERM') })).code, 143)
})

test('an old Node is told what it needs', async (t) => {
  const folder = temporaryFolder(t)
  for (const [version, code] of Object.entries({ '18.20.8': 3, '20.18.3': 3, '20.19.0': 0, '26.1.0': 0 })) {
    const disguise = path.join(folder, `${version}.cjs`)
    await writeFile(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    )
    const result = await runNode(['--require', disguise, cli, 'list', '--help'])
    assert.equal(result.code, code, version)
    if (code === 3) {
      assert.equal(result.stderr, `Make It Fast needs Node.js 20.19 or newer, and this is ${version}: ` +
        'install a newer one from https://nodejs.org and run the command again.\n')
    }
  }
})

/**
 * A command line with its own commands.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} bodies of `run`, by the name of the command
 * @param {Record<string, string>} [tops] code at the top of the file
 * @param {{ graceMs?: number }} [options]
 * @returns {Promise<{ script: string, run: typeof runCommand }>} script: to start it as a process
 */
async function commands (t, bodies, tops = {}, options = {}) {
  const folder = temporaryFolder(t)
  const errors = JSON.stringify(new URL('../../runner/shared/errors.js', import.meta.url).href)
  const main = JSON.stringify(new URL('../../runner/cli/main.js', import.meta.url).href)
  await mkdir(path.join(folder, 'commands'))
  for (const [name, body] of Object.entries(bodies)) {
    await writeFile(path.join(folder, 'commands', `${name}.js`), `
      import { WorkshopError } from ${errors}
      ${tops[name] ?? ''}
      export const options = { server: { type: 'string' } }
      export const usage = 'npm run ${name} lesson-N [-- --server DIR]'
      export const help = 'Works on ${name} with ' + WorkshopError.name
      export async function run ({ values, positionals, stdout, stderr, env, signal }) { ${body} }
    `)
  }
  const place = (/** @type {string} */ name) => pathToFileURL(path.join(folder, 'commands', `${name}.js`)).href
  const table = Object.keys(bodies).map((name) => `'${name}': () => import('${place(name)}')`)
  const script = path.join(folder, 'cli.mjs')
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(script, `
    import { main } from ${main}
    main({ ...${JSON.stringify(options)}, commands: { ${table.join(', ')} } })
  `)
  const loaded = Object.fromEntries(Object.keys(bodies).map((name) => [name, () => import(place(name))]))
  return { script, run: (argv, given) => runCommand(argv, { ...options, commands: loaded, ...given }) }
}
