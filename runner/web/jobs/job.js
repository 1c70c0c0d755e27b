/**
 * @import { JobKind } from '../../system/index.js'
 * @import { Comparison } from '../../workspace/index.js'
 * @import { JobOptions } from './job-options.js'
 *
 * @typedef {object} Told
 * @property {string} id
 * @property {JobKind | 'compare'} kind
 * @property {string} lesson slug; empty: of a comparison
 * @property {Comparison} [comparison]
 * @property {'waiting' | 'running' | 'done' | 'cancelled' | 'failed'} state
 * @property {string} startedAt ISO 8601
 * @property {string} message what it's waiting for, or what went wrong; may be empty
 * @property {boolean} elsewhere it runs in a terminal, and is stopped there
 * @property {any} [result] of a benchmark or a profile that is done
 *
 * @typedef {Told & JobOptions} Job
 */
export {}
