import assert from 'node:assert/strict'
import test from 'node:test'
import { fitHelp } from '../../runner/cli/help.js'
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
