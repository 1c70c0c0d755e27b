export { startServer, newRunMarker, passedEnvironment } from './start.js'
export { openSubmission } from './submission.js'
export { stopEverything, markerName } from './stop.js'
