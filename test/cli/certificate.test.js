import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { envFor, makeRepository } from '../lesson/fixture.js'
import { passed } from '../report/records.js'
import { runCommand } from './run.js'

const folders = ['01-sync-login', '03-in-memory-json', '12-overload']

test('a certificate comes after the last pass, and says before what is missing', async (t) => {
  const root = await makeRepository(t)
  const run = (/** @type {string[]} */ ...args) =>
    runCommand(['certificate', ...args], { env: envFor(root), cwd: root })
  for (const folder of folders.slice(0, 2)) pass(root, folder)
  const early = await run()
  assert.equal(early.code, 1)
  assert.equal(early.stdout, 'You have passed 2 of 3 lessons. Still to come: 12.\nNext: npm run watch lesson-12\n')
  assert.equal(fs.existsSync(path.join(root, 'workspace', 'certificate')), false)

  pass(root, folders[2])
  const { code, stdout } = await run('--name', 'Ada')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^You have passed all 3 lessons\. Your certificate: workspace.certificate.certificate\.html\n$/)
  const folder = path.join(root, 'workspace', 'certificate')
  assert.match(fs.readFileSync(path.join(folder, 'certificate.html'), 'utf8'), /Ada/)
  const { name, records } = JSON.parse(fs.readFileSync(path.join(folder, 'certificate.json'), 'utf8'))
  assert.deepEqual([name, records.length, records[0].verdict], ['Ada', 3, 'pass'])
})

/** @param {string} root @param {string} folder */
function pass (root, folder) {
  const results = path.join(root, 'workspace', 'results')
  fs.mkdirSync(results, { recursive: true })
  fs.writeFileSync(path.join(results, `${folder}.best.json`), JSON.stringify(passed()))
}
