/** The queue of submissions: its rules, its table in the room's database, its way through Redis, and its workers. */
export { deskAt, deskHere } from './desk.js'
export { followRedis, openRedis } from './redis.js'
export { createTable } from './submission-table.js'
export { createWorker } from './worker.js'

/**
 * @typedef {import('./rules.js').Ticket} Ticket
 * @typedef {import('./submission-table.js').Row} Row
 * @typedef {import('./submission-table.js').Table} Table
 * @typedef {import('./worker.js').Desk} Desk
 * @typedef {import('./worker.js').Job} Job
 */
