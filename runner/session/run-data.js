/**
 * What a lesson says about a run of its servers. Types only.
 *
 * @import { Random } from '../random.js'
 * @import { UpstreamOf } from './upstream/types.js'
 *
 * What `data` makes. `known` has to survive a structured clone: it also goes to the load generator.
 * @typedef {object} RunData
 * @property {Record<string, string | Uint8Array>} files files for DATA_DIR, by name
 * @property {any} [known] what the contract and the streams know about the data (`data` to them)
 *
 * @typedef {object} Runnable
 * @property {string} root the workshop
 * @property {string} dir the folder with lesson.js, which helpers import
 * @property {string} slowDir the folder with the slow server
 * @property {{ data?: (given: { random: Random }) => RunData | Promise<RunData>, upstream?: UpstreamOf }} lesson
 */

export {}
