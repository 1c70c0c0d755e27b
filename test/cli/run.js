import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const cli = fileURLToPath(new URL('../../runner/cli.js', import.meta.url))

/**
 * Runs node and waits for its end.
 *
 * @param {string[]} args
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cwd]
 * @param {(child: import('node:child_process').ChildProcessWithoutNullStreams) => void} [options.started]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string }>}
 */
export async function runNode (args, { env = process.env, cwd, started } = {}) {
  const child = spawn(process.execPath, args, { env: withoutNpm(env), cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text })
  started?.(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

/**
 * `npm test` sets variables that the command line reads.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} without them
 */
export function withoutNpm (env) {
  const kept = Object.entries(env).filter(([name]) => process.env[name] !== env[name] ||
    !/^(npm_lifecycle_event|NODE_TEST_CONTEXT)$/.test(name))
  return Object.fromEntries(kept)
}
