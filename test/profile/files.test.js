import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { WorkshopError } from '../../runner/errors.js'
import { reportFiles } from '../../runner/profile/files.js'

/** @param {import('node:test').TestContext} t */
function scratch (t) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mif profiles '))
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('a new report replaces what an earlier run of the same tool left, and nothing else', async (t) => {
  const folder = path.join(scratch(t), '02 lesson')
  const first = reportFiles({ folder, stem: 'mine-cpu' })
  await first.write('.html', 'old')
  await first.write('.2.cpuprofile', 'old')
  await reportFiles({ folder, stem: 'slow-cpu' }).write('.html', 'other')
  await reportFiles({ folder, stem: 'mine-cpu-compared' }).write('.html', 'other')
  const second = reportFiles({ folder, stem: 'mine-cpu' })
  assert.equal(fs.readdirSync(folder).length, 4, 'nothing goes before something new comes')
  await second.write('.html', 'new')
  assert.deepEqual(fs.readdirSync(folder).sort(), ['mine-cpu-compared.html', 'mine-cpu.html', 'slow-cpu.html'])
  assert.equal(fs.readFileSync(second.name('.html'), 'utf8'), 'new')
})

test('a folder that cannot be written is one sentence with the mend', async (t) => {
  const dir = scratch(t)
  fs.writeFileSync(path.join(dir, 'profiles'), 'a file')
  const files = reportFiles({ folder: path.join(dir, 'profiles', '01'), stem: 'mine-cpu' })
  await assert.rejects(files.write('.html', 'x'), (error) => error instanceof WorkshopError && /could not be written to .*make room there/.test(error.message))
  assert.throws(() => files.name('.log'), WorkshopError)
})
