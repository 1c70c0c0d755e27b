/** The queue of submissions: its rules, its table in the room's database, its way through Redis, and its workers. */
export { followRedis, openRedis, readRedisUrl } from './redis.js'
export { createTable } from './submission-table.js'
export { createWorker, gradeHere } from './worker.js'

/**
 * @typedef {import('./redis.js').Engine} Engine
 * @typedef {import('./submission-table.js').Held} Held
 * @typedef {import('./submission-table.js').Job} Job
 * @typedef {import('./submission-table.js').Outcome} Outcome
 * @typedef {import('./submission-table.js').Presence} Presence
 * @typedef {import('./submission-table.js').Row} Row
 * @typedef {import('./submission-table.js').Table} Table
 * @typedef {import('./submission-table.js').Ticket} Ticket
 * @typedef {import('./submission-table.js').Work} Work
 * @typedef {import('./worker.js').Worker} Worker
 */
