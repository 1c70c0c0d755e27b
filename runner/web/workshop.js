/**
 * @import { Classroom } from './seat-state.js'
 * @import { Events } from './events.js'
 * @import { Doctor } from './doctor.js'
 * @import { Jobs } from './jobs/jobs.js'
 * @import { Saves } from './saves.js'
 * @import { Serving } from './serving.js'
 * @import { State } from './page-data.js'
 *
 * @typedef {object} Workshop what the routes work with
 * @property {NodeJS.ProcessEnv} env
 * @property {string} token
 * @property {Events} events
 * @property {Jobs} jobs
 * @property {Doctor} doctor
 * @property {Classroom} classroom
 * @property {Saves} saves
 * @property {Serving} serving
 * @property {() => Promise<State>} readState
 * @property {() => Promise<void>} tellState to all pages that are open
 * @property {(entry: import('../lesson/index.js').LoadedLesson) => Promise<string>} openCopy the learner's folder
 */
export {}
