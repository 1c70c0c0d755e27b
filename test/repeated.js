/**
 * What a measurement shows, a busy machine can hide: then it is measured again, for longer. What must never be is
 * asserted each time, by `never`.
 *
 * @template T
 * @param {readonly number[]} budgetsMs
 * @param {(budgetMs: number) => Promise<T>} measure
 * @param {(seen: T) => void} shows throws where it does not
 * @param {(seen: T) => void} [never]
 * @returns {Promise<T>}
 */
export async function repeated (budgetsMs, measure, shows, never = () => {}) {
  for (const [index, budgetMs] of budgetsMs.entries()) {
    const seen = await measure(budgetMs)
    never(seen)
    try {
      shows(seen)
      return seen
    } catch (error) {
      if (index === budgetsMs.length - 1) throw error
    }
  }
  throw new Error('There is no time to measure in.')
}
