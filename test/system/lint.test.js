import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'

const root = fileURLToPath(new URL('../..', import.meta.url))
const eslint = new ESLint({ cwd: root })

/** @param {string} code @param {string} file @returns {Promise<string[]>} what the linter says about signals and removals */
async function refusals (code, file) {
  const [{ messages }] = await eslint.lintText(`${code}\n`, { filePath: path.join(root, file) })
  assert.ok(messages.every(({ fatal }) => !fatal), JSON.stringify(messages))
  return messages.filter(({ ruleId }) => ruleId === 'no-restricted-syntax').map(({ message }) => message)
}

for (const code of [
  "process.kill(4711, 'SIGTERM')",
  "process['kill'](4711)",
  'const { kill } = process',
  'const { kill: end } = process',
  "import { kill } from 'node:process'",
  'child.kill()',
  'child?.kill()',
  'const end = child.kill.bind(child)',
  "execFile('taskkill', ['/PID', '4711', '/T'])",
  "spawn('kill', ['-9', '-1'])",
  "exec('pkill node')",
  "exec('killall -9 node')",
  'const source = `process.kill(${pid})`', // eslint-disable-line no-template-curly-in-string
  "const source = 'child.kill()'"
]) {
  test(`nobody but one module sends a signal: ${code}`, async () => {
    for (const file of ['runner/load/x.js', 'bench/x.js', 'test/cli/x.test.js', 'lessons/01-sync-login/x.js', 'solutions/01-sync-login/x.js', 'test/red-team/attacks/x.js']) {
      assert.equal((await refusals(code, file)).length > 0, true, file)
    }
    assert.deepEqual(await refusals(code, 'runner/system/signals.js'), [])
  })
}

for (const code of [
  'fs.rmSync(dir, { recursive: true })',
  'await fs.rm(dir, { force: true, recursive: true })',
  'await rm(dir, { recursive: true })',
  'fs.rmdirSync(dir, { recursive })'
]) {
  test(`nobody but one module removes a folder with what is in it: ${code}`, async () => {
    for (const file of ['runner/workspace/x.js', 'runner/system/signals.js', 'bench/x.js', 'test/cli/x.test.js', 'lessons/01-sync-login/x.js']) {
      assert.equal((await refusals(code, file)).length, 1, file)
    }
    assert.deepEqual(await refusals(code, 'runner/system/temporary.js'), [])
  })
}

test('what only sounds like it is not refused', async () => {
  for (const code of ["say('killed, not killing')", 'signalChild(child, name)', 'fs.rmSync(file, { force: true })', 'fs.mkdirSync(dir, { recursive: true })', "const text = 'kill -0 tells'".replace('kill', 'To kill')]) {
    assert.deepEqual(await refusals(code, 'runner/load/x.js'), [], code)
  }
})
