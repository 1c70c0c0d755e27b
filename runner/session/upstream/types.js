/**
 * The service behind the servers, as lesson authors write it and as checks see it. Types only.
 *
 * @import { Random } from '../../random.js'
 *
 * How it answers one call. Runs in a separate process.
 * @typedef {(call: UpstreamCall) => UpstreamAnswer} Answering
 * @typedef {{ method: string, path: string, headers: Record<string, any>, body: Buffer }} UpstreamCall
 * @typedef {{ status?: number, headers?: Record<string, string>, json?: unknown, body?: string, delayMs?: number }}
 *   UpstreamAnswer
 * @typedef {(given: { random: Random, data: any }) => Answering} UpstreamOf
 *
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path with its query string
 * @property {number} startMs on the stub's clock
 * @property {number | null} endMs null while it's in flight
 * @property {number} status 0 while it's in flight
 *
 * @typedef {object} Fault
 * @property {string} path the beginning of the paths that it hits
 * @property {number} [status] answered instead of the real answer
 * @property {number} [delayMs] waited in addition
 * @property {number} [trickleMs] the answer begins at once, and comes in small pieces for so long
 * @property {boolean} [hang] never answered
 * @property {boolean} [reset] the connection is cut
 *
 * @typedef {object} Upstream what one server talks to
 * @property {string} url its UPSTREAM_URL
 * @property {() => Promise<Call[]>} calls since the last reset
 * @property {() => Promise<number>} count how many calls since the last reset
 * @property {(faults?: Fault[]) => Promise<void>} reset forgets the calls, and sets what goes wrong from now on
 */

export {}
