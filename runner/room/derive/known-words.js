/**
 * What a learner's machine sends is checked against the room's own lessons, so that nothing else reaches a wall:
 * names of checks, gates and tiers, and warnings of a machine. Pure.
 *
 * @import { SentRecord } from '../../judge/index.js'
 *
 * @typedef {object} RoomLesson
 * @property {string} id
 * @property {number} number
 * @property {string} title
 * @property {string[]} tiers from the lowest; may be empty
 * @property {string[]} checks names that its checks can have
 * @property {string[]} gates their names
 * @property {string | null} leading the gate whose ratio represents the lesson; null: no gate compares two servers
 */

/** The workshop's warnings, and what the room says instead. @type {[RegExp, (found: string) => string][]} */
const warnings = [
  [/^The CPU is set to save power/, () => 'Its CPU is set to save power.'],
  [/^This machine runs on its battery/, () => 'It runs on its battery.'],
  [/^This system lets us use (\d{1,4}(?:\.\d{1,4})?) CPUs?,/, (cpus) => `It may use ${cpus} CPUs, as in a container.`]
]

/**
 * @param {SentRecord} record
 * @param {Pick<RoomLesson, 'checks' | 'gates' | 'tiers'>} lesson
 * @returns {SentRecord} in which other names are `another check`, `another gate`, and other tiers are missing
 */
export function inKnownWords (record, { checks, gates, tiers }) {
  const named = (/** @type {string[]} */ known, /** @type {string} */ other) =>
    (/** @type {{ name: string }} */ { name }) => known.includes(name) ? name : other
  const [checkName, gateName] = [named(checks, 'another check'), named(gates, 'another gate')]
  return {
    ...record,
    contract: record.contract.map((check) => ({ ...check, name: checkName(check) })),
    gates: record.gates.map((gate) => ({
      ...gate,
      name: gateName(gate),
      tiers: gate.tiers?.filter(({ name }) => tiers.includes(name)) ?? null
    })),
    machine: { ...record.machine, warnings: [...new Set(record.machine.warnings.map(knownWarning))] }
  }
}

/** @param {string} warning */
function knownWarning (warning) {
  for (const [pattern, say] of warnings) {
    const found = pattern.exec(warning)
    if (found !== null) return say(found[1])
  }
  return 'It reports a warning that this room doesn’t know.'
}
