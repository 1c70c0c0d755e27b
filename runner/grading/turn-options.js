/**
 * @import { CheckProgress } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 *
 * @typedef {object} TurnOptions of a measurement that waits for its turn
 * @property {LoadedLesson} entry
 * @property {string} dir the folder to measure
 * @property {string} [where] where it runs, as those that wait for it see it
 * @property {(sentence: string) => (() => void) | void} onWait called if it has to wait; the function that it returns
 *   is called when the wait is over
 * @property {() => void} [onStart] called when its turn has come
 * @property {(event: CheckProgress) => void} onProgress
 * @property {AbortSignal} signal
 */
export {}
