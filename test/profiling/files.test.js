import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { WorkshopError } from '../../runner/shared/errors.js'
import { reportFiles } from '../../runner/profiling/profile-files.js'
import { temporaryFolder } from '../temporary.js'

test('a new report replaces what an earlier run of the same tool left, and nothing else', async (t) => {
  const folder = path.join(temporaryFolder(t, 'mif profiles '), '02 lesson')
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

test('a learner’s own files next to the reports stay, whatever their names', async (t) => {
  const folder = path.join(temporaryFolder(t), '02 lesson')
  const kept = ['mine-cpu.before.html', 'mine-cpu.md', 'mine-cpu.old', 'mine-cpu']
  fs.mkdirSync(path.join(folder, 'mine-cpu.notes'), { recursive: true })
  for (const name of kept) fs.writeFileSync(path.join(folder, name), 'mine')
  await reportFiles({ folder, stem: 'mine-cpu' }).write('.html', 'new')
  assert.deepEqual(fs.readdirSync(folder).sort(), [...kept, 'mine-cpu.html', 'mine-cpu.notes'].sort())
})

test('a folder that cannot be written is one sentence with the fix', async (t) => {
  const dir = temporaryFolder(t, 'mif profiles ')
  fs.writeFileSync(path.join(dir, 'profiles'), 'a file')
  const files = reportFiles({ folder: path.join(dir, 'profiles', '01'), stem: 'mine-cpu' })
  await assert.rejects(
    files.write('.html', 'x'),
    (error) => error instanceof WorkshopError && /could not be written to .*make room there/.test(error.message)
  )
  assert.throws(() => files.name('.log'), WorkshopError)
})
