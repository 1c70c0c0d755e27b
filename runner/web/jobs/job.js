/**
 * @import { JobKind } from '../../system/index.js'
 *
 * @typedef {object} Job
 * @property {string} id
 * @property {JobKind} kind
 * @property {string} lesson slug
 * @property {string} [tool] of a profile
 * @property {boolean} [more] of a check: go on with the rounds of the last one
 * @property {'waiting' | 'running' | 'done' | 'cancelled' | 'failed'} state
 * @property {string} startedAt ISO 8601
 * @property {string} message what it says now: what it waits for, what went wrong; may be empty
 * @property {boolean} elsewhere it runs in a terminal, and is stopped there
 * @property {unknown} [result] of a benchmark or a profile that is done
 */
export {}
