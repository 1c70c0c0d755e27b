import { spawn } from 'node:child_process'
import { signalChild } from '../runner/system/index.js'
import { findLeftovers } from './leftovers.js'
import { makeFolder } from './temporary.js'

/**
 * One file of tests, or a tool, in a process of its own.
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {string[]} args for node
 * @property {Record<string, string>} env further variables
 * @property {string} cwd
 *
 * @typedef {object} JobResult
 * @property {string} output
 * @property {number | null} code
 * @property {{ tests: number, passed: number, failed: number, skipped: number }} counts
 * @property {string[]} left what it left behind
 * @property {number} seconds
 */

/** What hangs is a failure that says so, not a run without an end. */
const longestMs = (process.env.MAKE_IT_FAST_WHOLE === '1' ? 15 : 5) * 60_000

/**
 * It gets a temporary folder of its own: what is in it at the end, and what still works with it, was left behind.
 *
 * @param {Job} job
 * @returns {Promise<JobResult>}
 */
export async function runJob ({ args, env, cwd }) {
  const { dir, remove } = makeFolder('mif-tests-')
  const startedAt = performance.now()
  const { output, code } = await new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env, TMPDIR: dir, TEMP: dir, TMP: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => { output += text })
    }
    const end = (/** @type {{ output: string, code: number | null }} */ result) => {
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(() => {
      signalChild(child, 'SIGKILL')
      // What it has started may hold them, and we would wait for its end.
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
      end({ output: `${output}\nIt was stopped: it had not ended after ${longestMs / 60_000} min.`, code: null })
    }, longestMs)
    child.on('error', (error) => end({ output: String(error), code: null }))
    child.on('close', (code) => end({ output, code }))
  })
  const left = findLeftovers(dir)
  remove()
  return { output, code, left, counts: countsIn(output), seconds: (performance.now() - startedAt) / 1000 }
}

/** @param {string} output of the spec reporter @returns {JobResult['counts']} */
function countsIn (output) {
  const read = (/** @type {string} */ word) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  return { tests: read('tests'), passed: read('pass'), failed: read('fail'), skipped: read('skipped') }
}
