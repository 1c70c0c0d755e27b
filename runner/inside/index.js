/** The door to what is seen inside of a running process: the recorder, the inspector, V8's CPU profiles. */
export { callsOf } from './cpu-profile/calls.js'
export { changePerRequest, sameFunction } from './cpu-profile/change.js'
export { mergeTrees } from './cpu-profile/merge.js'
export { readCpuProfile } from './cpu-profile/read-profile.js'
export { placeToLook, readSentences, theThread } from './cpu-profile/profile-messages.js'
export { keyOf, summarise } from './cpu-profile/summarise.js'
export { seeWhatHangs } from './inspector/busy-with.js'
export { readMemory } from './inspector/memory.js'
export { openHub } from './recorder/hub.js'

/**
 * @typedef {import('./cpu-profile/change.js').Change} Change
 * @typedef {import('./cpu-profile/read-profile.js').CpuProfile} CpuProfile
 * @typedef {import('./cpu-profile/read-profile.js').Frame} Frame
 * @typedef {import('./cpu-profile/read-profile.js').Owner} Owner
 * @typedef {import('./cpu-profile/summarise.js').FunctionTime} FunctionTime
 * @typedef {import('./cpu-profile/summarise.js').Summary} Summary
 * @typedef {import('./recorder/hub.js').Hub} Hub
 * @typedef {import('./recorder/hub.js').Member} Member
 * @typedef {import('./recorder/member/thread-metrics.js').Figures} RecordedFigures
 * @typedef {import('./recorder/member/timeline.js').Timeline} Timeline
 * @typedef {import('./recorder/member/timeline.js').TimelinePoint} TimelinePoint
 */
