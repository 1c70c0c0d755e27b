import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import test from 'node:test'
import { entryOf, isThere, parsePs, parseStat, processTable, tableOfPs, treeOf } from '../../runner/process/proc.js'
import { signalChild } from '../../runner/process/signals.js'

const windows = { skip: process.platform === 'win32' && 'Windows tells too little' }
const linux = { skip: process.platform !== 'linux' && 'needs /proc' }

test('the table holds us and our parent', windows, () => {
  const table = processTable()
  const own = table.find(({ pid }) => pid === process.pid)
  assert.equal(own?.parent, process.ppid)
  assert.ok(table.some(({ pid }) => pid === process.ppid))
  assert.deepEqual(entryOf(process.pid)?.start, own?.start)
})

test('a process is there until it ends, and never with another start', windows, async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const entry = entryOf(child.pid)
  assert.ok(entry)
  assert.ok(isThere(entry))
  assert.equal(isThere({ ...entry, start: entry.start - 1 }), false)
  assert.deepEqual(treeOf(processTable(), process.pid).includes(entry.pid), true)
  signalChild(child, 'SIGKILL')
  await once(child, 'exit')
  assert.equal(isThere(entry), false)
})

test('a process that doesn’t exist has no entry', windows, () => {
  for (const pid of [0, -1, 2 ** 30, NaN, undefined]) assert.equal(entryOf(pid), null, String(pid))
})

test('a name with spaces and parentheses hides nothing of a line of /proc', () => {
  const rest = 'S 10 4711 4711 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1 1'
  assert.deepEqual(parseStat(`4712 (a) R 1 (b) ${rest}`), {
    pid: 4712,
    parent: 10,
    group: 4711,
    start: 987654,
    state: 'S'
  })
  assert.equal(parseStat(''), null)
  assert.equal(parseStat('4712 (node) S 1'), null)
})

test('ps tells the same as /proc', linux, (t) => {
  if (!fs.existsSync('/bin/ps')) return t.skip('there is no ps here')
  const [ofPs, ofProc] = [tableOfPs(), processTable()].map((table) => table.find(({ pid }) => pid === process.pid))
  assert.ok(ofPs && ofProc)
  assert.deepEqual([ofPs.parent, ofPs.group], [ofProc.parent, ofProc.group])
  assert.ok(Math.abs(ofPs.start - (Date.now() - process.uptime() * 1000)) < 60_000)
})

test('lines of ps, as macOS writes them, and none that is half', () => {
  assert.deepEqual(parsePs(`
    1     0     1 Ss   Sat Nov 21 08:00:00 2026
 4712    10  4711 S+   Sat Nov 21 09:30:05 2026    
 4713    10
 4714    10  4711 Z    -
`), [
    { pid: 1, parent: 0, group: 1, state: 'Ss', start: Date.UTC(2026, 10, 21, 8) },
    { pid: 4712, parent: 10, group: 4711, state: 'S+', start: Date.UTC(2026, 10, 21, 9, 30, 5) }
  ])
})

test('a tree ends where its parents go round in a circle', () => {
  const entry = (/** @type {number} */ pid, /** @type {number} */ parent) => ({
    pid,
    parent,
    group: pid,
    start: 1,
    state: 'S'
  })
  assert.deepEqual(treeOf([entry(2, 3), entry(3, 2), entry(4, 3), entry(5, 1)], 2).sort(), [2, 3, 4])
  assert.deepEqual(treeOf([], 9), [9])
})
