import { expectOtherTags } from '../shared/conditions.js'
import { derived } from './rules.js'
import { writesOf } from './routes.js'

/**
 * Checks that the slow server can't be asked about, as they follow from `tagged` and `encodings`.
 *
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { ParsedRoute } from './types.js'
 */

/** @param {readonly ParsedRoute[]} routes @returns {Check[]} */
export function contractOf (routes) {
  const [write] = writesOf(routes)
  const tagged = routes.filter(({ tagged, hasParameter }) => tagged && !hasParameter)
  return [
    ...write === undefined ? [] : tagged.map((route) => otherTags(route, write)),
    ...tagged.flatMap((route) => (route.encodings ?? []).map((encoding) => otherForms(route, encoding)))
  ]
}

/** @param {ParsedRoute} route @param {ParsedRoute} write @returns {Check} */
function otherTags ({ url, encodings = [] }, { method, url: writeUrl, body = () => ({}), then }) {
  return {
    name: derived.tags.rule,
    when: ['before'],
    run: async (given) => {
      const state = given.data
      const draw = () => ({ method, path: writeUrl(), json: body(given.random, { sent: [], state }) })
      for (const headers of [{}, ...encodings.map((name) => ({ 'accept-encoding': name }))]) {
        await expectOtherTags(asking(given, headers), url(), draw, { adds: method === 'POST' && then !== undefined })
      }
    }
  }
}

/**
 * The same, whose servers are asked with further headers.
 *
 * @param {Given} given
 * @param {Record<string, string | undefined>} headers
 */
function asking (given, headers) {
  return {
    ...given,
    another: async () => {
      const server = await given.another()
      /** @type {typeof server.get} */
      const get = (path, more) => server.get(path, { ...more, headers: { ...more?.headers, ...headers } })
      return { ...server, get }
    }
  }
}

/** @param {ParsedRoute} route @param {string} encoding @returns {Check} */
function otherForms ({ url }, encoding) {
  return {
    name: derived.forms.rule,
    run: async ({ get, fail }) => {
      const [small, other] = [await get(url(), { headers: { 'accept-encoding': encoding } }), await get(url())]
      const { etag = 'W/' } = small.expectStatus(200).headers
      if (etag.startsWith('W/') || etag !== other.headers.etag) return
      fail(`GET ${url()}: the strong ETag ${etag} stands for ${encoding} and for the plain bytes`)
    }
  }
}
