/**
 * @import { LessonEntry } from '../../lesson/index.js'
 * @import { Room } from '../room.js'
 * @import { Store } from '../store/store.js'
 * @import { Live } from './snapshot-stream.js'
 * @import { InstructorView, ProjectorView, PublicView } from '../snapshot.js'
 *
 * @typedef {object} RoomServer what the routes work with
 * @property {Room} room
 * @property {Store} store
 * @property {(code: unknown) => Promise<never>} rejectUnknownCode answers a wrong code
 * @property {{ public: Live<PublicView>, projector: Live<ProjectorView>, instructor: Live<InstructorView> }} live
 * @property {readonly LessonEntry[]} entries of the room's lessons
 * @property {() => string[]} learners their addresses, each with the code
 * @property {() => number} now ms since 1970
 * @property {NodeJS.ProcessEnv} env
 */
export {}
