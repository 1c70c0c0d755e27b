/**
 * @import { CheckProgress } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 *
 * @typedef {object} TurnOptions of what waits for its turn on this machine
 * @property {LoadedLesson} entry
 * @property {string} dir the folder that is measured
 * @property {string} [where] as those that wait for it see it
 * @property {(sentence: string) => (() => void) | void} onWait something else is measured; what it gives back is called
 *   when the waiting is over
 * @property {() => void} [onStart] its turn has come
 * @property {(event: CheckProgress) => void} onProgress
 * @property {AbortSignal} signal
 */
export {}
