import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { entryOf } from '../../runner/process/index.js'
import { runCommand } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} answers what the server in each folder answers, or from a semicolon on
 *   the program itself
 * @returns {string} where both lie
 */
export function servers (t, answers) {
  const place = temporaryFolder(t)
  for (const [name, answer] of Object.entries(answers)) {
    fs.mkdirSync(path.join(place, name))
    fs.writeFileSync(path.join(place, name, 'app.cjs'), `
      require('fs').appendFileSync(${JSON.stringify(path.join(place, 'pids'))}, process.pid + '\\n')
      ${answer.startsWith(';') ? answer : programOf(answer)}`)
    const settings = { scripts: { start: 'node app.cjs' } }
    fs.writeFileSync(path.join(place, name, 'package.json'), JSON.stringify(settings))
  }
  return place
}

/** @param {string} answer */
function programOf (answer) {
  return `require('http').createServer((req, res) => { ${answer} }).listen(process.env.PORT, process.env.HOST)`
}

/**
 * Runs `compare`, and sees to it that nothing is left: no process, no folder.
 *
 * @param {string} place what `servers` has made
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
export async function compare (place, args, { cwd = place, env = {} } = {}) {
  const scratch = path.join(place, 'tmp')
  fs.mkdirSync(scratch, { recursive: true })
  const own = { TMPDIR: scratch, TEMP: scratch, TMP: scratch, MAKE_IT_FAST_WORKSPACE: path.join(place, 'workspace') }
  const result = await runCommand(['compare', ...args], { cwd, env: { ...process.env, ...own, ...env } })
  // The place of the turn stays.
  assert.deepEqual(fs.readdirSync(scratch).filter((name) => name.startsWith('make-it-fast-')), [])
  const pids = path.join(place, 'pids')
  const started = fs.existsSync(pids) ? fs.readFileSync(pids, 'utf8').trim().split('\n') : []
  for (const pid of started) assert.equal(entryOf(Number(pid)), null)
  return { ...result, started: started.length }
}
