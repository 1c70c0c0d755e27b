/**
 * What a slice shows besides its figures: wrong answers, servers that end, interference.
 *
 * @import { Evidence, Role, Slice } from '../../judge/index.js'
 * @import { Server } from '../../session/index.js'
 */

/** Whatever is done to the slow server in so many slices is done on purpose. */
const mostInterferences = 2

/**
 * @param {Role} role
 * @param {Server} server
 * @param {Pick<Slice, 'lost' | 'problems'> & { conditions?: Slice['conditions'] }} slice
 * @param {Evidence} evidence learns what went wrong
 */
export function noteSlice (role, server, { lost, problems, conditions }, evidence) {
  const sentences = [...lost, ...problems].map(({ message }) => message)
  if (role === 'baseline') evidence.baselineProblems.push(...sentences)
  else evidence.problems.push(...sentences)
  if (role === 'baseline' && conditions?.connectedToBaseline) {
    evidence.interference = 'While the slow server was being measured, your server was connected to it: ' +
      'leave the slow server alone.'
  }
  // Once may be chance, as when another program looks for a free port; such a round doesn't count.
  if (conditions?.interfered && ++evidence.interferenceCount >= mostInterferences) {
    evidence.baselineProblems.push(conditions.interfered)
  }
  if (!server.hasExited()) return
  if (role === 'baseline') evidence.baselineFailures.push(`it ${server.howItEnded()}`)
  else evidence.crash = `Your server ${server.howItEnded()} under load.`
}
