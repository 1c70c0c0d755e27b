import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { WorkshopError } from '../../errors.js'
import { dieWithParent } from '../../process/index.js'

const timeoutMs = 120_000
const mostBytes = 256 * 1024 * 1024

/**
 * Makes Node.js process a log of `--prof`.
 *
 * @param {string} file
 * @param {AbortSignal} signal
 * @returns {Promise<string>} its text
 * @throws {WorkshopError}
 */
export async function processLog (file, signal) {
  try {
    const [command, args] = dieWithParent(process.execPath, ['--prof-process', file])
    const { stdout } = await promisify(execFile)(command, args, {
      signal,
      timeout: timeoutMs,
      maxBuffer: mostBytes,
      windowsHide: true
    })
    return stdout
  } catch (error) {
    signal.throwIfAborted()
    throw new WorkshopError(
      '`node --prof-process` could not read V8\'s log ' +
        `(${error.killed ? `not within ${timeoutMs / 1000} s` : `exit code ${error.code}`}): record for a shorter ` +
        'time with --seconds, or use `--tool cpu`.',
      { cause: error }
    )
  }
}

/** Is the program that names C++ functions installed? @returns {Promise<boolean>} */
export async function hasNm () {
  return promisify(execFile)('nm', ['--version'], { windowsHide: true }).then(() => true, () => false)
}
