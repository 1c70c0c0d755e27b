/** A room of learners: its server, and what it keeps. Learners need none of it. */
export { openRoom } from './open-room.js'
export { qrText } from './room-routes.js'

/**
 * @typedef {import('./open-room.js').OpenRoom} OpenRoom
 */
