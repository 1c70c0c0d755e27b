/**
 * What a lesson says about a run of its servers. Types only.
 *
 * @import { Random } from '../random.js'
 * @import { UpstreamOf } from './upstream/types.js'
 *
 * What a lesson's `data` makes. Its own `data` has to survive a structured clone: it also goes to the load generator.
 * @typedef {object} RunData
 * @property {Record<string, string | Uint8Array>} files files for DATA_DIR, by name
 * @property {any} [data] what the contract and the streams know about the files
 *
 * @typedef {object} DataGiven
 * @property {Random} random
 * @property {number} speed of a core, 1 or less: work that is done `speed` times costs here what it cost where the
 *   targets were set
 *
 * @typedef {object} Runnable
 * @property {string} root the workshop, or a lesson pack
 * @property {string} dir the folder with lesson.js, which helpers import
 * @property {string} slowDir the folder with the slow server
 * @property {{ data?: (given: DataGiven) => RunData | Promise<RunData>, upstream?: UpstreamOf }} lesson
 */

export {}
