import fs from 'node:fs'
import { writeFile } from 'node:fs/promises'
import readline from 'node:readline'
import { WorkshopError } from '../../errors.js'
import { shownPath } from '../../shown-path.js'
import { createGathering } from './gather.js'
import { gatherHar } from './from-har.js'
import { gatherLine } from './from-log.js'

/** @import { Gathering } from './gather.js' */

/**
 * Writes a load file from what a server was really asked. An existing file stays as it is.
 *
 * @param {{ kind: 'log' | 'har', source: string, target: string }} options
 * @returns {Promise<string[]>} sentences about what is in it, and what is not
 * @throws {WorkshopError} a file can't be read or written, or holds no request
 */
export async function writeLoadFile ({ kind, source, target }) {
  const gathering = createGathering()
  await (kind === 'har' ? readHar : readLog)(source, gathering)
  const { load, leftOut } = gathering.finish()
  const without = [...leftOut].map(([why, count]) => `${count} ${why}`)
  if (load.requests.length === 0) {
    const what = kind === 'har'
      ? 'A HAR file is what a browser’s network panel exports'
      : 'It reads the common and the combined format, and JSON lines'
    throw new WorkshopError(`${shownPath(source)} holds no request that can be sent again ` +
      `(${without.join('; ') || 'it’s empty'}). ${what}.`)
  }
  await writeFile(target, `${JSON.stringify(load, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch((error) => {
    throw new WorkshopError(error.code === 'EEXIST'
      ? `${shownPath(target)} is there already: name another file with --load.`
      : `${shownPath(target)} can’t be written (${error.code}): name another file with --load.`)
  })
  const sent = load.requests.reduce((sum, { weight = 1 }) => sum + weight, 0)
  const { length } = load.requests
  return [
    `${shownPath(target)} has ${length} ${length === 1 ? 'request' : 'requests'}, with the weights of the ${sent} in ` +
      `${shownPath(source)}.`,
    ...without.length > 0 ? [`Requests left out: ${without.join('; ')}.`] : [],
    ...kind === 'har'
      ? ['Of the headers, only Accept, Accept-Language and Content-Type were copied, no cookies, no Authorization: ' +
        'log in with `before`.']
      : [],
    'Read it before you share it: a path may name a person.'
  ]
}

/** @param {string} file @param {Gathering} gathering */
async function readLog (file, gathering) {
  const input = fs.createReadStream(file)
  try {
    for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) gatherLine(line, gathering)
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    input.destroy()
  }
}

/** @param {string} file @param {Gathering} gathering */
async function readHar (file, gathering) {
  let har
  try {
    har = JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw unreadable(file, error)
  }
  gatherHar(har, gathering)
}

/** @param {string} file @param {NodeJS.ErrnoException} error */
function unreadable (file, error) {
  if (error.code === 'ENOENT') return new WorkshopError(`There is no file ${shownPath(file)}.`)
  return new WorkshopError(`${shownPath(file)} can’t be read: ${error.message}.`)
}
