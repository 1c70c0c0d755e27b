import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { WorkshopError } from '../errors.js'

/**
 * Where the holder of a turn listens: a named pipe on Windows, elsewhere a socket in a folder that only this user may
 * enter, so that no other account can listen or come first.
 *
 * @import { Server } from 'node:net'
 *
 * @typedef {object} TurnPlace
 * @property {() => Promise<string | null>} holder the address to connect to; null: the turn is free
 * @property {(address: string) => Promise<void>} forget the socket of a holder that was killed
 * @property {(server: Server) => Promise<Claim>} claim
 *
 * @typedef {object} Claim
 * @property {'held' | 'taken' | 'impossible'} state impossible: there are no such sockets here
 * @property {() => Promise<void>} leave to be called before the server is closed
 */

/** A socket's path may have 103 bytes on macOS, 107 on Linux. */
const longestPath = 103

/** @param {string} name @returns {Promise<TurnPlace>} @throws {WorkshopError} another account has the folder */
export async function turnPlace (name) {
  if (process.platform === 'win32') return pipePlace(`${os.userInfo().username}\0${name}`)
  const folder = runtimeFolder()
  const isThere = await makePrivate(folder)
  return isThere ? socketPlace(path.join(folder, shortName(name))) : noPlace
}

/** @param {string} temporary the system's folder @returns {string} not made yet; short enough for a socket's path */
export function runtimeFolder (temporary = os.tmpdir()) {
  const name = `.make-it-fast-${process.getuid?.()}`
  const longest = path.join(temporary, name, shortName(''), newName())
  return path.join(Buffer.byteLength(longest) > longestPath ? '/tmp' : temporary, name)
}

/** @param {string} folder @returns {Promise<boolean>} false: it can't be made @throws {WorkshopError} it isn't ours */
async function makePrivate (folder) {
  const error = await fs.mkdir(folder, { mode: 0o700 }).then(() => null, (error) => error)
  if (error !== null && error.code !== 'EEXIST') return false
  const found = await fs.lstat(folder)
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return true
  throw new WorkshopError(`${folder} has to be a folder that only you may enter, and it isn’t: remove it, or set ` +
    'TMPDIR to a folder of yours.')
}

/**
 * The holder's socket lies alone in a folder. To claim the turn is to rename a folder with a socket to that name, which
 * the system refuses unless the folder there is empty. What a killed holder left is removed by a name that no other
 * socket ever has, so that a socket in use is never removed.
 *
 * @param {string} folder
 * @returns {TurnPlace}
 */
function socketPlace (folder) {
  return {
    holder: async () => {
      const [socket] = await fs.readdir(folder).catch(() => [])
      return socket === undefined ? null : path.join(folder, socket)
    },
    forget: (address) => fs.unlink(address).catch(() => {}),
    claim: async (server) => {
      const name = newName()
      const own = path.join(path.dirname(folder), name)
      const leave = async () => {
        for (const place of [folder, own]) {
          await fs.unlink(path.join(place, name)).catch(() => {})
          await fs.rmdir(place).catch(() => {})
        }
      }
      try {
        await fs.mkdir(own, { mode: 0o700 })
        await listenOn(server, path.join(own, name))
        await fs.rename(own, folder)
        return { state: 'held', leave }
      } catch (error) {
        await leave()
        const isTaken = error.syscall === 'rename' && ['ENOTEMPTY', 'EEXIST'].includes(error.code)
        return { state: isTaken ? 'taken' : 'impossible', leave }
      }
    }
  }
}

/** @param {string} name @returns {TurnPlace} */
function pipePlace (name) {
  const address = `\\\\.\\pipe\\make-it-fast-${shortName(name)}`
  const leave = async () => {}
  return {
    holder: async () => address,
    forget: async () => {},
    claim: (server) => listenOn(server, address).then(
      () => ({ state: 'held', leave }),
      (error) => ({ state: error.code === 'EADDRINUSE' ? 'taken' : 'impossible', leave }))
  }
}

/** @type {TurnPlace} */
const noPlace = {
  holder: async () => null,
  forget: async () => {},
  claim: async () => ({ state: 'impossible', leave: async () => {} })
}

/** @param {Server} server @param {string} address @returns {Promise<void>} */
function listenOn (server, address) {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(address, () => resolve())
  })
}

/** @param {string} name */
function shortName (name) {
  return createHash('sha256').update(name).digest('hex').slice(0, 16)
}

function newName () {
  return randomBytes(6).toString('hex')
}
