/**
 * The known names that may have been meant, nearest first: those that contain what was written, and those that
 * are a few slips of the keyboard away.
 *
 * @param {string} name what was written
 * @param {readonly string[]} known
 * @param {{ limit?: number }} [options] how many at most, default 3
 * @returns {string[]}
 */
export function nearest (name, known, { limit = 3 } = {}) {
  const asked = name.toLowerCase()
  return known
    .map((candidate) => ({ candidate, slips: slipsBetween(asked, candidate.toLowerCase()) }))
    .filter(({ slips }) => slips < Infinity)
    .sort((a, b) => a.slips - b.slips)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** @param {string} asked @param {string} candidate */
function slipsBetween (asked, candidate) {
  if (asked.length >= 2 && candidate.includes(asked)) return 0.5
  const slips = distance(asked, candidate)
  // One letter in three may be wrong: more than that and everything resembles everything.
  const bearable = Math.max(1, Math.floor(Math.max(asked.length, candidate.length) / 3))
  return slips <= bearable ? slips : Infinity
}

/**
 * How many letters have to be added, dropped, replaced or swapped with their neighbour to turn one word into the other
 * (optimal string alignment distance, https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance).
 *
 * @param {string} from
 * @param {string} to
 */
export function distance (from, to) {
  /** @type {number[][]} */
  const table = Array.from({ length: from.length + 1 }, (_, i) => [i])
  for (let j = 1; j <= to.length; j++) table[0][j] = j
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const replaced = table[i - 1][j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1)
      table[i][j] = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1, replaced)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1)
    }
  }
  return table[from.length][to.length]
}
