import path from 'node:path'

/** A path as the learner would type it: relative to the current folder, when that is shorter. @param {string} place */
export function shownPath (place) {
  const relative = path.relative(process.cwd(), place)
  return relative !== '' && relative.length < place.length ? relative : place
}
