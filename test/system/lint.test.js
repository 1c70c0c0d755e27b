import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'

const root = fileURLToPath(new URL('../..', import.meta.url))
const eslint = new ESLint({ cwd: root })

/**
 * @param {string} code
 * @param {string} file
 * @returns {Promise<string[]>} what the linter says about signals and removals
 */
async function refusals (code, file) {
  const [{ messages }] = await eslint.lintText(`${code}\n`, { filePath: path.join(root, file) })
  assert.ok(messages.every(({ fatal }) => !fatal), JSON.stringify(messages))
  return messages.filter(({ ruleId }) => ruleId === 'no-restricted-syntax').map(({ message }) => message)
}

const signalling = [
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
  "execFile('/bin/kill', ['-9', '-1'])",
  "exec('sleep 1; kill -9 -1')",
  "exec('pgrep node | xargs kill -9')",
  "exec('sudo pkill -f node')",
  "exec('killall -9 node')",
  "execFile('C:\\\\Windows\\\\System32\\\\taskkill.exe')",
  "exec('fuser -k 3000/tcp')",
  "exec('npx kill-port 3000')",
  'process._debugProcess(4711)',
  "export { kill as end } from 'node:process'",
  'const source = `process.kill(${pid})`', // eslint-disable-line no-template-curly-in-string
  "const source = 'child.kill()'"
]

const removing = [
  'fs.rmSync(dir, { recursive: true })',
  'await fs.rm(dir, { force: true, recursive: true })',
  'await rm(dir, { recursive: true })',
  'fs.rmdirSync(dir, { recursive })',
  'fs.rmSync(dir, options)',
  'fs.rmSync(dir, { ...options })',
  "fs['rmSync'](dir)",
  'await promisify(fs.rm)(dir)',
  'const { rmSync: remove } = fs',
  "import { rm as remove } from 'node:fs/promises'",
  "execFileSync('rm', ['-rf', dir])",
  "execFileSync('/bin/rm', ['-rf', dir])",
  "execSync('rm -rf ' + dir)",
  "execSync('cd x && rm -fr y')",
  'const source = `rm -R ${dir}`', // eslint-disable-line no-template-curly-in-string
  "import { rimraf } from 'rimraf'"
]

for (const [title, codes, home] of /** @type {const} */ ([
  ['only one module sends a signal', signalling, 'runner/process/signals.js'],
  ['only one module removes a folder with its contents', removing, 'runner/process/temporary.js']
])) {
  test(title, async () => {
    for (const code of codes) {
      assert.ok((await refusals(code, 'runner/load/x.js')).length > 0, code)
      assert.deepEqual(await refusals(code, home), [], code)
    }
    for (const folder of ['bench', 'test/cli', 'lessons/01-sync-login', 'solutions/01-sync-login', 'runner/system']) {
      assert.ok((await refusals(codes[0], `${folder}/x.js`)).length > 0, folder)
    }
  })
}

test('what only sounds like it is not refused', async () => {
  for (const code of [
    "say('killed, not killing')",
    "say('to kill a process is no small thing')",
    'signalChild(child, name)',
    'fs.rmSync(file)',
    'fs.rmSync(file, { force: true })',
    'fs.mkdirSync(dir, { recursive: true })'
  ]) {
    assert.deepEqual(await refusals(code, 'runner/load/x.js'), [], code)
  }
})

test('the rule isn’t switched off in a comment', () => {
  const folders = ['runner', 'classroom', 'compare', 'bench', 'test', 'lessons', 'solutions', 'slow-servers']
  const files = folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(root, folder, file))
  )
  const scripts = files.filter(
    (file) => /\.[cm]?js$/.test(file) && !file.includes('node_modules') && file !== fileURLToPath(import.meta.url)
  )
  assert.ok(scripts.length > 500, `only ${scripts.length} files were read`)
  // A comment without the name of a rule switches all of them off.
  const off = /eslint-disable(-next-line|-line)?\s*(\*\/|$)|eslint.*no-restricted-syntax/m
  assert.deepEqual(scripts.filter((file) => off.test(fs.readFileSync(file, 'utf8'))), [])
})
