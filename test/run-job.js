import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalChild } from '../runner/process/index.js'
import { findLeftovers } from './leftovers.js'
import { makeFolder } from './temporary.js'

/**
 * One file of tests, or a tool, in a separate process.
 *
 * @import { Ended } from './reporter.js'
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {string[]} args for node
 * @property {string} cwd
 * @property {boolean} hasTests false: a command that isn't a file of tests
 *
 * @typedef {object} JobResult
 * @property {string} output
 * @property {number | null} code
 * @property {Ended[]} tests in the order of their ends; none for a tool
 * @property {string[]} left what it left behind
 * @property {number} seconds
 * @property {number} cpuSeconds of a file of tests, with the processes that it waited for
 */

const reporter = new URL('reporter.js', import.meta.url).href
/** What hangs is a failure that says so, not a run without an end. */
const longestSilenceMs = 10 * 60_000
/** What's still there after so long was left behind. */
const endingMs = 10_000

/**
 * It gets its own temporary folder: what is in it at the end, and what still works with it, was left behind.
 *
 * @param {Job} job
 * @param {(text: string) => void} onOutput
 * @returns {Promise<JobResult>}
 */
export async function runJob ({ args, cwd, hasTests }, onOutput) {
  const { dir, remove } = makeFolder('mif-tests-')
  const report = path.join(dir, 'tests.jsonl')
  const cpuFile = path.join(dir, 'cpu')
  const reporters = [['spec', 'stdout'], [reporter, report]]
    .flatMap(([name, place]) => [`--test-reporter=${name}`, `--test-reporter-destination=${place}`])
  const startedAt = performance.now()
  const { output, code } = await new Promise((resolve) => {
    const child = spawn(process.execPath, [...hasTests ? reporters : [], ...args], {
      cwd,
      env: { ...process.env, TMPDIR: dir, TEMP: dir, TMP: dir, MAKE_IT_FAST_CPU_FILE: cpuFile },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        timer.refresh()
        output += text
        onOutput(text)
      })
    }
    const end = (/** @type {{ output: string, code: number | null }} */ result) => {
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(() => {
      signalChild(child, 'SIGKILL')
      // What it has started may hold them, and we would wait for its end.
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
      end({ output: `${output}\nIt was stopped: no test had ended for ${longestSilenceMs / 60_000} min.`, code: null })
    }, longestSilenceMs)
    child.on('error', (error) => end({ output: String(error), code: null }))
    child.on('close', (code) => end({ output, code }))
  })
  const tests = fs.existsSync(report) ? fs.readFileSync(report, 'utf8').trim().split('\n').filter(Boolean) : []
  const cpuSeconds = fs.existsSync(cpuFile) ? Number(fs.readFileSync(cpuFile, 'utf8')) : 0
  let left = findLeftovers(dir)
  // A guard ends a moment after what it guards.
  for (const until = Date.now() + endingMs; left.length > 0 && Date.now() < until; left = findLeftovers(dir)) {
    await sleep(50)
  }
  remove()
  const seconds = (performance.now() - startedAt) / 1000
  return { output, code, left, seconds, cpuSeconds, tests: tests.map((line) => JSON.parse(line)) }
}
