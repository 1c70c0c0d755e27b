export { startServer, passedEnvironment } from './start.js'
export { stopTree } from './stop.js'
export { openSubmission } from './submission.js'
