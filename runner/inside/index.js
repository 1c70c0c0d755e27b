/** The door to what is seen inside of a running process: the recorder, the inspector, V8's CPU profiles. */
export { callsOf, changePerRequest, keyOf, mergeTrees, readCpuProfile, sameFunction, summarise } from './cpu-profile.js'
export { readMemory, seeWhatHangs } from './inspector.js'
export { placeToLook, readSentences, theThread } from './profile-messages.js'
export { openHub } from './recorder.js'

/**
 * @typedef {import('./cpu-profile.js').Change} Change
 * @typedef {import('./cpu-profile.js').CpuProfile} CpuProfile
 * @typedef {import('./cpu-profile.js').Frame} Frame
 * @typedef {import('./cpu-profile.js').FunctionTime} FunctionTime
 * @typedef {import('./cpu-profile.js').Owner} Owner
 * @typedef {import('./cpu-profile.js').Summary} Summary
 * @typedef {import('./recorder.js').Hub} Hub
 * @typedef {import('./recorder.js').Member} Member
 * @typedef {import('./recorder/measure-thread.js').Figures} RecordedFigures
 * @typedef {import('./recorder/measure-thread.js').Timeline} Timeline
 * @typedef {import('./recorder/measure-thread.js').TimelinePoint} TimelinePoint
 */
