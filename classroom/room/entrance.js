import { randomBytes } from 'node:crypto'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { namesOf, refuse } from '../../runner/http/index.js'
import { newCode } from '../../runner/shared/random.js'

/**
 * Limits how many join at once, and from one address, so that one learner can't take all seats. Addresses are kept
 * in memory alone.
 *
 * @typedef {Rate & { perAddress: number }} AdmissionLimits
 *
 * @param {AdmissionLimits | null} limits null: none
 * @param {() => number} now ms since 1970
 */
export function createAdmission (limits, now) {
  /** @type {Allowance | undefined} */
  let allowance
  /** Counts those who have left, or leaving would free a place. @type {Map<string, number>} */
  const joined = new Map()
  const isCrowded = (/** @type {string} */ address) =>
    limits !== null && (joined.get(address) ?? 0) >= limits.perAddress
  return {
    /** @param {string} address @throws with a status: not now, or no more from there */
    admit: (address) => {
      if (limits === null) return
      if (isCrowded(address)) {
        throw refuse(403, `${limits.perAddress} seats were taken from your network address: ` +
          'ask the instructor to let more in.')
      }
      const next = takeOne(allowance, now(), limits)
      if (next === null) throw refuse(429, 'Many people are joining right now: try again in a moment.')
      allowance = next
      joined.set(address, (joined.get(address) ?? 0) + 1)
    },
    /** Addresses that have all the seats they may take. */
    crowded: () => [...joined].filter(([address]) => isCrowded(address))
      .map(([address, count]) => ({ address, joined: count })),
    /** As many again. @param {unknown} address @throws with a status */
    letMoreIn: (address) => {
      if (typeof address !== 'string' || !joined.delete(address)) {
        throw refuse(400, 'No one has joined from that address.')
      }
    }
  }
}

/**
 * The addresses of a room. Pure but for the addresses of this machine.
 *
 * @param {{ host: string, port: number, env: NodeJS.ProcessEnv, publicOrigin?: string, isEncrypted: boolean }} given
 *   host: on which it listens; publicOrigin: at which others reach it; isEncrypted: by the room itself
 */
export function waysIn ({ host, port, env, publicOrigin, isEncrypted }) {
  const scheme = isEncrypted ? 'https' : 'http'
  const addresses = addressesOf(host)
  const { hosts, origins } = namesOf(port, env, { hosts: addresses, scheme })
  const shown = publicOrigin ? [publicOrigin] : addresses.map((address) => `${scheme}://${address}:${port}`)
  const own = `${scheme}://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : addresses[0]}:${port}`
  return {
    names: publicOrigin === undefined
      ? { hosts, origins }
      : { hosts: [...hosts, new URL(publicOrigin).host], origins: [publicOrigin, ...origins] },
    learners: (/** @type {string} */ code) => shown.map((origin) => `${origin}/${code}`),
    // A certificate is for the public name; a path through a proxy would be longer.
    instructor: (/** @type {string} */ secret) => `${isEncrypted ? shown[0] : own}/class#${secret}`
  }
}

/**
 * The addresses at which a server that listens on `host` is reached. Pure but for the default.
 *
 * @param {string} host as `listen` takes it; `0.0.0.0` and `::` are all addresses of this machine
 * @param {NodeJS.Dict<os.NetworkInterfaceInfo[]>} [interfaces]
 * @returns {string[]} as written in a URL, those that others reach first
 */
export function addressesOf (host, interfaces = os.networkInterfaces()) {
  if (host !== '0.0.0.0' && host !== '::') return [host.includes(':') ? `[${host}]` : host]
  const all = Object.values(interfaces).flatMap((list) => list ?? [])
  // A classroom's network rarely gives IPv6 addresses that need no zone, and people can type an IPv4 address.
  const others = all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address)
  return others.length > 0 ? others : ['127.0.0.1']
}

/**
 * The room's address that a page shows: the one requested, the one at which the page itself was reached, or the first.
 * Pure.
 *
 * @param {{ learners: string[], origins: readonly string[], code: string, host: string, at: unknown }} given learners:
 *   addresses, each with the code; origins: of ours; host: as the browser names it; at: which address, from 0
 */
export function shownAddress ({ learners, origins, code, host, at }) {
  const own = origins.find((origin) => new URL(origin).host === host)
  // A page opened on this machine is shown to others.
  const isForOthers = own !== undefined && !/^https?:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(own)
  return learners[Number(at ?? NaN)] ?? (isForOthers ? `${own}/${code}` : learners[0])
}

const unknown = 'That’s not the join code of this room: look at the projector, or ask the instructor.'
const former = 'The instructor has changed the join code: look at the projector, or ask them.'

/**
 * A request with a wrong code waits for its response, and only so many wait at once: that's all that a guesser can
 * cost. A request with the right one never gets here, so that guessing can't lock out a room behind one address.
 *
 * @param {{ waitMs: number, most: number }} limits
 * @param {(code: unknown) => boolean} isFormer did it admit learners once?
 * @returns {(code: unknown) => Promise<never>} rejects with a status
 */
export function createJoinThrottle ({ waitMs, most }, isFormer) {
  let waiting = 0
  return async (code) => {
    if (waiting >= most) throw refuse(429, 'Too many wrong codes are coming in: try yours again in a few seconds.')
    waiting++
    await sleep(waitMs)
    waiting--
    throw refuse(403, isFormer(code) ? former : unknown)
  }
}

/** 39 bits: at 5,000 tries a second, the most that the server can answer, a guess takes a year and a half. */
export function newJoinCode () {
  return newCode(2)
}

/** As people type it. Pure. @param {unknown} given @returns {string} as `newJoinCode` writes it */
export function readCode (given) {
  if (typeof given !== 'string' || given.length > 60) return ''
  return given.toLowerCase().replace(/[^a-z0-9]/g, '').replace(/(.{4})(?=.)/g, '$1-')
}

/**
 * A token bucket: many at once after a long silence, then a few each second. Pure.
 *
 * @typedef {{ left: number, at: number }} Allowance at: ms since 1970
 * @typedef {{ most: number, perSecond: number }} Rate
 *
 * @param {Allowance | undefined} before undefined: never done
 * @param {number} now ms since 1970
 * @param {Rate} rate
 * @returns {Allowance | null} null: too often
 */
export function takeOne (before, now, { most, perSecond }) {
  const gone = before === undefined ? 0 : Math.max(0, now - before.at) / 1000
  const left = Math.min(most, (before?.left ?? most) + gone * perSecond)
  return left < 1 ? null : { left: left - 1, at: now }
}

/** The instructor's: 192 bits can't be guessed. */
export function newSecret () {
  return randomBytes(24).toString('base64url')
}
