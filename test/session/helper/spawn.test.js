import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { spawnHelper } from '../../../runner/process/helper.js'
import { temporaryFolder } from '../../temporary.js'

test('a helper that never answers, because it was stopped, is not waited for without an end', async (t) => {
  const file = path.join(temporaryFolder(t), 'silent.mjs')
  fs.writeFileSync(file, "process.on('message', () => {})\n")
  const helper = spawnHelper({ file, name: 'The load generator' })
  t.after(() => helper.close())
  await assert.rejects(helper.ask('slice', {}, 50), /^Error: The load generator did not answer within 0\.05 s/)
})
