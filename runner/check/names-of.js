import path from 'node:path'
import { shownPath } from '../shown-path.js'

/**
 * @import { Names } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 */

/**
 * What the words of a verdict send a learner to.
 *
 * @param {LoadedLesson} entry
 * @param {string} dir the folder that is graded
 * @returns {Names}
 */
export function namesOf ({ number, workspaceDir, solutionDir, slowDir }, dir) {
  const known = [['mine', workspaceDir], ['solution', solutionDir], ['slow', slowDir]]
  const [which] = known.find(([, place]) => path.resolve(place) === path.resolve(dir)) ?? ['-- --server DIR']
  return {
    serve: `npm run serve lesson-${number} ${which}`,
    // Of other folders nothing is kept.
    ...which === 'mine' && { more: `npm run check lesson-${number} -- --more` },
    writeUp: shownPath(path.join(solutionDir, 'README.md'))
  }
}
