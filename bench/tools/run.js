import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/**
 * What `ab` and `wrk` give for one server: requests/s, and the share of answers whose status was not 2xx or 3xx.
 *
 * @typedef {{ rate: number, otherStatus: number }} ToolResult
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<string>} what it printed
 * @throws {Error} it failed; `code` ENOENT when it is not installed
 */
export async function runTool (command, args) {
  const { stdout } = await exec(command, args, { timeout: 60_000, maxBuffer: 1e8 })
  return stdout
}

/** @param {string} command @param {string[]} args */
export async function isInstalled (command, args) {
  try {
    await exec(command, args)
    return true
  } catch (error) {
    // `wrk --version` exits with 1.
    return error.code !== 'ENOENT'
  }
}
