import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// The text says one second; a busy machine may need a little longer.
const patienceMs = 2500

/** Folders of servers that have used our patience up: their other checks fail at once. @type {Set<string>} */
const exhausted = new Set()

/** @typedef {Record<string, any>} Line */

/**
 * The access log of one server, from now on.
 *
 * @param {string} dataDir
 * @param {(message: string) => never} fail
 */
export async function watchLog (dataDir, fail) {
  const file = path.join(dataDir, 'access.log')
  const from = await size(file)
  const rest = () => readFrom(file, from)
  return {
    rest,
    /**
     * Waits for the lines of these requests.
     *
     * @param {string[]} ids
     * @param {{ patient?: boolean }} [options] patient: false where the server was stopped, and nothing more can come
     * @returns {Promise<Line[]>} one for each id, in the order of the file
     */
    async linesOf (ids, { patient = true } = {}) {
      const wanted = new Set(ids)
      const deadline = performance.now() + (patient && !exhausted.has(dataDir) ? patienceMs : 0)
      for (;;) {
        const lines = parseLines(await rest(), (text) => mentions(text, ids), fail).filter(({ id }) => wanted.has(id))
        const seen = countIds(lines, fail)
        const missing = ids.filter((id) => !seen.has(id))
        if (missing.length === 0) return lines
        if (performance.now() > deadline) {
          exhausted.add(dataDir)
          fail(
            `access.log: ${missing.length} of ${ids.length} requests have no line ` +
              `${patient ? 'soon after their answer' : 'though they were answered before the server was stopped'}, ` +
              `as the one with the id ${JSON.stringify(missing[0])}`
          )
        }
        await sleep(30)
      }
    }
  }
}

/**
 * @param {string} text of the file
 * @param {(line: string) => boolean} concerns which lines to look at
 * @param {(message: string) => never} fail
 * @returns {Line[]}
 */
export function parseLines (text, concerns, fail) {
  // What comes after the last line break is still being written.
  return text.split('\n').slice(0, -1).filter(concerns).map((line) => {
    try {
      const parsed = JSON.parse(line)
      if (typeof parsed === 'object' && parsed !== null) return parsed
    } catch {}
    return fail(`access.log: a line is no JSON object: ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`)
  })
}

/**
 * @param {Line[]} lines
 * @param {(message: string) => never} fail
 * @returns {Map<string, number>} position by id
 */
export function countIds (lines, fail) {
  const seen = new Map()
  lines.forEach(({ id }, index) => {
    if (seen.has(id)) fail(`access.log: the request with the id ${JSON.stringify(id)} has two lines`)
    seen.set(id, index)
  })
  return seen
}

/**
 * Ids that need escaping look different in the file: their first letters do not.
 *
 * @param {string} line
 * @param {string[]} ids
 */
function mentions (line, ids) {
  return line.includes(ids[0].slice(0, 8))
}

/** The whole log. @param {string} dataDir */
export function readLog (dataDir) {
  return readFrom(path.join(dataDir, 'access.log'), 0)
}

/** @param {string} file */
async function size (file) {
  try {
    return (await fs.stat(file)).size
  } catch {
    return 0
  }
}

/** @param {string} file @param {number} from bytes */
async function readFrom (file, from) {
  try {
    return (await fs.readFile(file)).subarray(from).toString()
  } catch {
    return ''
  }
}
