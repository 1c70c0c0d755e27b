/** The queue of submissions: its rules, its table in the room's database, its way through Redis, and its workers. */
export { followRedis, openRedis, readRedisUrl } from './redis.js'
export { createTable } from './submission-table.js'
export { createWorker, gradeHere } from './worker.js'

/**
 * @typedef {import('./redis.js').Engine} Engine
 * @typedef {import('./submission-table.js').Held} Held
 * @typedef {import('./rules.js').Job} Job
 * @typedef {import('./rules.js').Outcome} Outcome
 * @typedef {import('./rules.js').Presence} Presence
 * @typedef {import('./rules.js').Work} Work
 * @typedef {import('./submission-table.js').Row} Row
 * @typedef {import('./submission-table.js').Table} Table
 * @typedef {import('./rules.js').Ticket} Ticket
 * @typedef {import('./worker.js').Worker} Worker
 */
