import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../temporary.js'
import { filesOf, readCases, readRight } from './apply.js'

const command = fileURLToPath(new URL('write.js', import.meta.url))

test('it writes an overlay and says how to check it', async (t) => {
  const dir = path.join(temporaryFolder(t), 'new', 'folder')
  const [wrong] = await readCases({ folder: '11-cluster' })
  const [right] = await readRight({ folder: '11-cluster' })
  for (const [lesson, overlay, on] of /** @type {const} */ ([['11', wrong, 'base'], ['11-cluster', right, 'slow']])) {
    const written = path.join(dir, lesson)
    const printed = execFileSync(process.execPath, [command, lesson, overlay.name, written], { encoding: 'utf8' })
    const check = `npm run check lesson-11 -- --server ${written}`
    assert.deepEqual(printed.split('\n'), [written, `${on}, changed: ${overlay.why}`, check, ''])
    assert.deepEqual(fs.readdirSync(written).sort(), [...filesOf(overlay).keys()].sort())
  }
})

test('it lists the overlays of a lesson', async () => {
  const printed = execFileSync(process.execPath, [command, '11', '--list'], { encoding: 'utf8' })
  const overlays = [...await readCases({ folder: '11-cluster' }), ...await readRight({ folder: '11-cluster' })]
  assert.deepEqual(printed.trimEnd().split('\n'), overlays.map(({ name, why }) => `${name}: ${why}`))
})

test('it refuses what it cannot do', (t) => {
  const dir = temporaryFolder(t)
  const file = path.join(dir, 'file')
  fs.writeFileSync(file, 'mine')
  for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
    [[], /^Usage: /],
    [['11'], /^Usage: /],
    [['11', 'one-worker'], /^Usage: /],
    [['11', '--list', dir], /^Usage: /],
    [['11', 'one-worker', dir, dir], /^Usage: /],
    [['99', 'one-worker', dir], /^There is no lesson "99": the lessons are 1 to 16\./],
    [['11', 'one-wroker', dir], /^11-cluster has no overlay "one-wroker": did you mean one-worker\?/],
    [['11', 'zzzzzzzz', dir], /^11-cluster has no overlay "zzzzzzzz": --list in place of the name shows them/],
    [['11', 'one-worker', dir], / is not empty: name a folder that is empty or not there yet\.$/m],
    [['11', 'one-worker', file], / is a file: name a folder that is empty or not there yet\.$/m]
  ])) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })
    assert.equal(status, 3, args.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, message)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  }
  assert.deepEqual(fs.readdirSync(dir), ['file'])
  assert.equal(fs.readFileSync(file, 'utf8'), 'mine')
})
