import assert from 'node:assert/strict'
import test from 'node:test'
import { narrowTable } from '../../runner/cli/commands/lesson-servers.js'
import { fitHelp } from '../../runner/cli/main.js'
import { say } from '../../runner/cli/say.js'
import { blockText } from '../../runner/report/index.js'
import { runCommand } from './run.js'

const window = { write: () => {}, isTTY: true, columns: 40 }

test('a flag’s explanation is wrapped next to it, or below if there’s no room', () => {
  assert.equal(fitHelp([
    'A sentence that is longer than forty columns are.',
    '  --flag X   what it does, in more words than fit',
    '  --a-flag-with-a-long-name   what it does, in more words',
    '                              and a second line'
  ].join('\n'), window), [
    'A sentence that is longer than forty',
    'columns are.',
    '  --flag X   what it does, in more words',
    '             than fit',
    '  --a-flag-with-a-long-name',
    '      what it does, in more words',
    '      and a second line'
  ].join('\n'))
})

test('help fits the window, for every command', async () => {
  const { stdout: overview } = await runCommand(['--help'])
  const names = [...overview.matchAll(/^ {2}npm run ([\w:-]+)/gm)].map(([, name]) => name)
  assert.ok(names.length > 10, overview)
  for (const name of [...names, 'help']) {
    const args = name === 'help' ? ['--help'] : [name, '--help']
    const { code, stdout } = await runCommand(args, { env: { ...process.env, COLUMNS: '60' } })
    assert.equal(code, 0)
    for (const line of stdout.split('\n')) assert.ok([...line].length <= 60, `${name}: ${line}`)
  }
})

const sentences = [
  'The write-up of lesson 1 lies in solutions/01-sync-login/README.md',
  'Short.',
  'word '.repeat(40).trim()
]

/** @param {{ isTTY?: boolean, columns?: number }} look */
function said (look) {
  let text = ''
  say({ ...look, write: (more) => { text += more } }, ...sentences)
  return text
}

test('a pipe gets whole lines', () => {
  for (const look of [{}, { columns: 20 }]) {
    assert.equal(said(look), sentences.map((sentence) => `${sentence}\n`).join(''))
  }
})

test('a narrow window gets lines broken between words', () => {
  const expected = 'The write-up of lesson 1 lies in\nsolutions/01-sync-login/README.md\nShort.\nword word'
  assert.ok(said({ isTTY: true, columns: 46 }).startsWith(expected))
  assert.ok(said({ isTTY: true, columns: 1 }).startsWith(expected))
})

test('in a narrow window the figures of autocannon are shown one below the other', () => {
  const names = ['p1', 'p2_5', 'p50', 'p97_5', 'p99', 'average', 'stddev', 'min', 'max']
  const of = (/** @type {number} */ factor) => Object.fromEntries(names.map((name, at) => [name, (at + 1) * factor]))
  const block = narrowTable({ latency: of(1.5), requests: of(1000), bytes: of(1234567) }, '12k requests in 5s')
  assert.deepEqual(blockText(block, { columns: 40, colour: false, unicode: true }).split('\n'), [
    'Stat   Latency  Req/Sec  Bytes/Sec',
    '1%                1,000    1.23 MB',
    '2.5%      3 ms    2,000    2.47 MB',
    '50%     4.5 ms    3,000     3.7 MB',
    '97.5%     6 ms    4,000    4.94 MB',
    '99%     7.5 ms',
    'Avg       9 ms    6,000    7.41 MB',
    'Stdev  10.5 ms    7,000    8.64 MB',
    'Min               8,000    9.88 MB',
    'Max    13.5 ms',
    '12k requests in 5s'
  ])
})
