/** The door to what is seen inside of a running process: the recorder, the inspector, V8's CPU profiles. */
export * from './cpu-profile.js'
export { readLoop, recordLoop } from './event-loop.js'
export { readMemory, seeWhatHangs } from './inspector.js'
export * from './profile-messages.js'
export * from './recorder.js'

/**
 * @typedef {import('./event-loop.js').LoopRecording} LoopRecording
 * @typedef {import('./event-loop.js').LoopSide} LoopSide
 * @typedef {import('./event-loop.js').SentRequest} SentRequest
 * @typedef {import('./recorder/measure-thread.js').Figures} RecordedFigures
 * @typedef {import('./recorder/measure-thread.js').Timeline} Timeline
 * @typedef {import('./recorder/measure-thread.js').TimelinePoint} TimelinePoint
 */
