/**
 * @import { ResultRecord } from '../../judge/index.js'
 * @import { JobKind } from '../../process/index.js'
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
 *
 * What a lesson's page shows of its last jobs.
 * @typedef {object} LastJobs
 * @property {Ended} [bench]
 * @property {Ended} [profile]
 * @property {ResultRecord} [preview] newer than the last check; forgotten when the workshop stops
 * @property {Record<string, Ended>} [outcomes] by what was measured: `nameOf` of a job
 *
 * @typedef {{ job: Job, at: string }} Ended at: ISO 8601
 */
export {}
