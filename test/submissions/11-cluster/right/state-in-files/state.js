import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const { DATA_DIR = '.', STATE } = process.env

/** Of the primary: its workers inherit the name. */
export function makeFolder () {
  process.env.STATE = mkdtempSync(path.join(DATA_DIR, 'state-'))
}

/** Every wrong PIN makes one of five files. Two can't make the same one. */
export function isLocked (name) {
  return existsSync(fileOf(name, 5))
}

export function countWrong (name) {
  for (let place = 1; place <= 5; place++) {
    try {
      closeSync(openSync(fileOf(name, place), 'wx'))
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
  }
  return false
}

export function openSession (name) {
  const session = randomBytes(24).toString('hex')
  writeFileSync(path.join(STATE, session), name)
  return session
}

export function nameOf (session) {
  if (!/^[0-9a-f]{48}$/.test(session)) return undefined
  const file = path.join(STATE, session)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function fileOf (name, place) {
  return path.join(STATE, `${Buffer.from(name).toString('hex')}-${place}`)
}
