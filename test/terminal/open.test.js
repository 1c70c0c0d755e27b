import assert from 'node:assert/strict'
import test from 'node:test'
import { entryOf, isThere } from '../../runner/process/index.js'
import { skipWithoutTerminal } from './available.js'
import { openTerminal } from './open.js'

const skip = skipWithoutTerminal()

/** @param {import('node:test').TestContext} t @param {string} source @param {object} [options] */
const node = (t, source, options) => openTerminal(t, { command: process.execPath, args: ['-e', source], ...options })
const forever = 'setInterval(() => {}, 1000)'

test('a program sees a terminal of the requested size, and gives its exit code', { skip }, async (t) => {
  const terminal = await node(t, `
    const { stdin, stdout } = process
    console.log([stdin.isTTY, stdout.isTTY, stdout.columns, stdout.rows].join(' '))
    process.exitCode = 7`, { columns: 50, rows: 10 })
  assert.deepEqual(await terminal.exit, { code: 7, signal: null })
  assert.deepEqual(terminal.screen(), ['true true 50 10'])
})

test('colours, styles and columns are read from the screen, by piece', { skip }, async (t) => {
  const terminal = await node(t, String.raw`
    console.log('a \x1b[1;31mred\x1b[0m \x1b[38;5;208m256\x1b[0m\x1b[48;2;1;2;255mrgb\x1b[0m')
    console.log('\x1b[2mdim\x1b[0m\x1b[7m inverse \x1b[0m   ')
    process.stdout.write('漢  a b   c\x1b[?25l')`)
  await terminal.exit
  assert.deepEqual(terminal.picture().rows.slice(0, 4), [
    [
      { x: 0, columns: 2, text: 'a ', style: {} },
      { x: 2, columns: 3, text: 'red', style: { foreground: 1, bold: true } },
      { x: 5, columns: 1, text: ' ', style: {} },
      { x: 6, columns: 3, text: '256', style: { foreground: 208 } },
      { x: 9, columns: 3, text: 'rgb', style: { background: '#0102ff' } }
    ],
    [
      { x: 0, columns: 3, text: 'dim', style: { dim: true } },
      { x: 3, columns: 9, text: ' inverse ', style: { inverse: true } }
    ],
    [
      { x: 0, columns: 4, text: '漢  ', style: {} },
      { x: 4, columns: 6, text: 'a b   ', style: {} },
      { x: 10, columns: 1, text: 'c', style: {} }
    ],
    []
  ])
  assert.equal(terminal.picture().cursor, null)
})

test('the screen holds what is left after the cursor was moved, not what was written', { skip }, async (t) => {
  const terminal = await node(t, String.raw`process.stdout.write('one\ntwo\nthree\x1b[2A\rONE\x1b[0J')`)
  await terminal.exit
  assert.deepEqual(terminal.screen(), ['ONE'])
  assert.deepEqual(terminal.picture().cursor, { x: 3, y: 0 })
})

test('a line that is too wide is told from one that fits; rows that scrolled away are kept', { skip }, async (t) => {
  const source = "for (const line of ['x'.repeat(20), 'y'.repeat(23), 1, 2, 3]) console.log(line)"
  const terminal = await node(t, source, { columns: 20, rows: 3 })
  await terminal.exit
  assert.deepEqual(terminal.wrapped(), ['yyy'])
  assert.deepEqual(terminal.screen(), ['2', '3'])
  assert.deepEqual(terminal.lines(), ['x'.repeat(20), 'y'.repeat(20), 'yyy', '1', '2', '3'])
})

test('keys arrive one by one in raw mode, typed lines as lines', { skip }, async (t) => {
  const terminal = await node(t, `
    const { stdin } = process
    stdin.once('data', (line) => {
      console.log('line ' + JSON.stringify(String(line)))
      require('readline').emitKeypressEvents(stdin)
      stdin.setRawMode(true)
      stdin.on('keypress', (_, { name, ctrl }) => {
        console.log('key ' + (ctrl ? 'ctrl+' : '') + name)
        if (ctrl && name === 'c') process.exit(4)
      })
      console.log('raw')
    })
    console.log('ready')`)
  await terminal.waitFor(/ready/)
  terminal.type('hello')
  terminal.key('enter')
  await terminal.waitFor(/raw/)
  terminal.type('w')
  await terminal.waitFor(/key w$/)
  terminal.key('up')
  await terminal.waitFor((screen) => screen.includes('key up'))
  terminal.key('ctrl-c')
  assert.equal((await terminal.exit).code, 4)
  assert.deepEqual(terminal.screen(), [
    'ready', 'hello', 'line "hello\\n"', 'raw', 'key w', 'key up', 'key ctrl+c'
  ])
})

test('Ctrl-C interrupts; who does not listen dies of it, as a shell says it', { skip }, async (t) => {
  const deaf = await node(t, `console.log('up'); ${forever}`)
  await deaf.waitFor(/up/)
  deaf.key('ctrl-c')
  assert.deepEqual(await deaf.exit, { code: 130, signal: null })
  const polite = await node(t, `process.on('SIGINT', () => { console.log('bye'); process.exit(5) })
    console.log('up'); ${forever}`)
  await polite.waitFor(/up/)
  polite.key('ctrl-c')
  assert.equal((await polite.exit).code, 5)
  assert.match(polite.screen().join('\n'), /bye$/)
})

test('what does not come is an error that shows the screen: after a time, or at the end', { skip }, async (t) => {
  const terminal = await node(t, 'process.stdin.once(\'data\', () => process.exit(2)); console.log(\'only this\')')
  await terminal.waitFor(/only/)
  const impatient = terminal.waitFor(/that/, { timeoutMs: 10 })
  await assert.rejects(impatient, /^Error: \/that\/ did not come: 10 ms.+\n {2}│only this$/)
  const waiting = assert.rejects(terminal.waitFor(/that/), /it ended with 2\. The screen:\n {2}│only this/)
  terminal.key('enter')
  await waiting
  await assert.rejects(terminal.waitFor(/that/), /it ended with 2/)
})

test('who never ends is ended, with all that it has started', { skip }, async (t) => {
  const terminal = await node(t, `
    process.on('SIGHUP', () => {})
    const { spawn } = require('child_process')
    const child = spawn(process.execPath, ['-e', '${forever}'], { detached: true, stdio: 'ignore' })
    console.log('pids ' + process.pid + ' ' + child.pid + '.'); ${forever}`, { graceMs: 100 })
  const [line] = await terminal.waitFor(/pids .+\./)
  const both = [...line.matchAll(/\d+/g)].map(([pid]) => entryOf(Number(pid)))
  assert.ok(both.every((one) => one !== null && isThere(one)), 'both run')
  await terminal.close()
  assert.ok(both.every((one) => one !== null && !isThere(one)), 'none is left')
})
