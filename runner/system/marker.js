import { randomUUID } from 'node:crypto'

/**
 * Everything that a run starts has a variable with the run's random value in its environment, so that it can be found
 * even when it has left its process group and lost its parent.
 *
 * run: every server of the run and all that it starts; server: this one server; helper: our own processes.
 */
export const markerNames = {
  run: 'MAKE_IT_FAST_RUN',
  server: 'MAKE_IT_FAST_SERVER',
  helper: 'MAKE_IT_FAST_HELPER'
}

const value = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/[1-9]\d{0,8})?$/

export const newRunMarker = () => randomUUID()

/**
 * @param {keyof typeof markerNames} kind
 * @param {string} text the value
 * @returns {string} `NAME=value`
 * @throws {TypeError} not a whole UUID: it could match another program's variable
 */
export function markerOf (kind, text) {
  if (!value.test(text)) throw new TypeError(`A marker is a random UUID, got ${JSON.stringify(text)}.`)
  return `${markerNames[kind]}=${text}`
}

/**
 * @param {string} text
 * @throws {TypeError} not a whole `NAME=value` of ours
 */
export function requireMarker (text) {
  const known = Object.values(markerNames).find((name) => typeof text === 'string' && text.startsWith(`${name}=`))
  if (!known || !value.test(text.slice(known.length + 1))) {
    throw new TypeError(`Not a marker of ours: ${JSON.stringify(text)}.`)
  }
}

/**
 * @param {string | null} environment as /proc/PID/environ has it
 * @param {string} marker `NAME=value`
 * @returns {boolean} does it hold exactly this variable?
 */
export function carries (environment, marker) {
  return environment !== null && environment.split('\0').includes(marker)
}
