import { askBothServers } from './ask-both.js'
import { runBefore } from './before.js'

/**
 * @import { RoundsContext } from '../../check/index.js'
 * @import { Prepared } from './ask-both.js'
 * @import { Load } from '../load-file/load.js'
 */

/**
 * What is done with the two servers before and after the load.
 *
 * @param {{ load: Load, ignore: readonly string[], seed: string, names: string[] }} options names: of the two servers,
 *   the original first
 * @returns {Required<Pick<RoundsContext, 'prepare' | 'testSoaked'>>}
 */
export function aroundLoad ({ names, ...given }) {
  /** @type {[Prepared, Prepared] | null} */
  let servers = null
  return {
    prepare: async ({ baseline, yours }, evidence) => {
      const isFirst = servers === null
      const prepare = async (/** @type {string} */ name, /** @type {{ origin: string }} */ { origin }) =>
        ({ name, origin, kept: await runBefore(given.load, { origin, who: name, seed: given.seed }) })
      servers = await Promise.all([prepare(names[0], baseline), prepare(names[1], yours)])
      if (isFirst) evidence.contract.push(...await askBothServers({ ...given, servers, when: 'before' }))
      const [before, after] = servers
      return {
        kept: { baseline: { isOriginal: true, kept: before.kept }, yours: { isOriginal: false, kept: after.kept } }
      }
    },
    testSoaked: async () => ({
      results: servers ? await askBothServers({ ...given, servers, when: 'after' }) : [],
      fault: null
    })
  }
}
