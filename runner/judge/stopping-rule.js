/**
 * When the judge looks at the rounds so far, and how sure it must be to decide there.
 *
 * Looking again and again at growing data finds "significance" by luck, so each look is far stricter than the error
 * that the whole check may make. The numbers were chosen by simulation over Gaussian, heavy-tailed, one-sided,
 * autocorrelated and drifting rounds; docs/measured.md shows the table.
 */
export const plan = {
  /** Rounds after which a gate may be decided. */
  interimAnalyses: [3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 26, 32],
  /** One-sided tail of Student's t that a decision needs, at each look, by either of two standard errors. */
  tail: 0.0004,
  /**
   * Standard error that no number of rounds can undercut, as a log ratio: two processes that run the same code differ
   * by a few per cent for their whole lives, through memory layout alone (Mytkowicz, Diwan, Hauswirth and Sweeney,
   * 2009, "Producing wrong data without doing anything obviously wrong!").
   */
  perProcessBias: 0.05,
  /** What is left of it where both servers are restarted for each observation: a folder's path stays the same. */
  biasOfRestarted: 0.01,
  /** What the usual spread of a kind of gate (gate-kinds.js) counts for, in degrees of freedom. */
  usualFreedom: 4
}

/** @param {number} rounds */
export function isInterim (rounds) {
  return plan.interimAnalyses.includes(rounds)
}

/** Of fewer rounds none is cut off: a single odd one spoils them. */
export const leastTrimmed = 8

/** How many values are cut at each end of so many rounds. @param {number} rounds */
export function trimOf (rounds) {
  if (rounds < leastTrimmed) return 0
  if (rounds < 16) return 1
  return rounds < 24 ? 2 : 3
}

export const mostRounds = Math.max(...plan.interimAnalyses)
export const leastRounds = Math.min(...plan.interimAnalyses)
