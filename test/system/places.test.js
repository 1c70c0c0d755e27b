import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { checkPlaces, sweepPlaces } from '../../runner/process/temporary.js'
import { setVariables } from '../environment.js'
import { temporaryFolder } from '../temporary.js'

test(
  'a folder that can be written is fine, and holds nothing of ours afterwards; one that cannot is named with the fix',
  async (t) => {
    const dir = temporaryFolder(t)
    fs.writeFileSync(path.join(dir, 'file'), '')
    const [fine, bad, ports] = await checkPlaces([path.join(dir, 'workspace'), path.join(dir, 'file')])
    assert.deepEqual([fine.problem, ports.problem], [null, null])
    assert.match(bad.problem ?? '', /file isn’t writable \(\w+\)/)
    assert.deepEqual(fs.readdirSync(path.join(dir, 'workspace')), [])
  }
)

test('what killed runs have left is removed and told, in a sentence; nothing is said of nothing', async (t) => {
  const dir = temporaryFolder(t)
  setVariables(t, { TMPDIR: dir, TEMP: dir })
  assert.deepEqual(await sweepPlaces(), [])
  const leave = (/** @type {string} */ name) => {
    fs.mkdirSync(path.join(dir, name))
    fs.utimesSync(path.join(dir, name), 0, 0)
  }
  leave('make-it-fast-aaaaaa')
  assert.deepEqual(await sweepPlaces(), [
    { what: 'One temporary folder of a run that was killed has now been removed.', problem: null }
  ])
  leave('make-it-fast-aaaaaa')
  leave('make-it-fast-bbbbbb')
  assert.deepEqual(await sweepPlaces(), [
    { what: '2 temporary folders of runs that were killed have now been removed.', problem: null }
  ])
  assert.deepEqual(fs.readdirSync(dir), [])
})
