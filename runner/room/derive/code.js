import { newCode } from '../../random.js'

/** 39 bits: at 5,000 tries a second, the most that the server can answer, a guess takes a year and a half. */
export function newJoinCode () {
  return newCode(2)
}

/** As people type it. Pure. @param {unknown} given @returns {string} as `newJoinCode` writes it */
export function readCode (given) {
  if (typeof given !== 'string' || given.length > 60) return ''
  return given.toLowerCase().replace(/[^a-z0-9]/g, '').replace(/(.{4})(?=.)/g, '$1-')
}
