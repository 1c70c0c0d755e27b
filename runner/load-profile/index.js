export { readProfile } from './read.js'
export { problemsOfProfile, timeOfProfile } from './profile.js'
export { startSender } from './sender.js'
export { isLargerSlower, unitOf } from './figure.js'
