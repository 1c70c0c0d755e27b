import fs from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { WorkshopError } from '../../runner/shared/errors.js'

/** @param {string | undefined} given of --public @returns {string | undefined} its origin @throws {WorkshopError} */
export function readPublic (given) {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new WorkshopError('--public takes the address under which others reach the room, ' +
      `such as https://room.example, got ${given}.`)
  }
  return url.origin
}

/**
 * @param {string | undefined} cert of --cert: a file
 * @param {string | undefined} key of --key: a file
 * @returns {Promise<{ cert: Buffer, key: Buffer } | undefined>}
 * @throws {WorkshopError} one is missing, cannot be read, or they do not belong together
 */
export async function readTls (cert, key) {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw new WorkshopError('--cert and --key go together: name the files of the certificate and of its private key.')
  }
  const tls = { cert: await readPem('--cert', cert), key: await readPem('--key', key) }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw new WorkshopError(`${cert} and ${key} are no certificate and its private key, both as PEM (${error.code}): ` +
      'name files that belong together.', { cause: error })
  }
  return tls
}

/** @param {string} flag @param {string} file */
async function readPem (flag, file) {
  return fs.readFile(file).catch((error) => {
    throw new WorkshopError(`The file ${file} cannot be read (${error.code}): name another one with ${flag}.`,
      { cause: error })
  })
}
