import fs from 'node:fs'

/**
 * The results of a long measurement, in a file with one line of JSON for each run: what is there already isn't
 * measured again, so a measurement can be stopped and continued.
 *
 * @param {string | undefined} file undefined: they are kept nowhere
 */
export function openRuns (file) {
  const text = file !== undefined && fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const known = text.split('\n').filter(Boolean).map((line) => JSON.parse(line))
  return {
    /**
     * @template T
     * @param {object} what is measured, the same for runs that belong together
     * @param {number} count
     * @param {() => Promise<T>} measure
     * @returns {Promise<T[]>}
     */
    gather: async (what, count, measure) => {
      const key = JSON.stringify(what)
      const results = known.filter((line) => JSON.stringify(line.what) === key).map(({ result }) => result)
      while (results.length < count) {
        const result = await measure()
        results.push(result)
        if (file !== undefined) fs.appendFileSync(file, `${JSON.stringify({ what, result })}\n`)
      }
      return results.slice(0, count)
    }
  }
}
