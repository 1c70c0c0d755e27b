import { rules } from './tell.js'

/**
 * What comes along on any port that is open to the world: no lesson's text speaks of it, and no server dies of it.
 *
 * @import { Operation } from './operation.js'
 */

const paths = ['//', '//x', '/%', '/%zz', '/?%', '/..', '/%cc', '/?=&==']
/** @type {Record<string, string>[]} */
const headers = [
  {},
  {},
  { cookie: 'a=50%; b; =' },
  { 'accept-language': ';;q=x' },
  { 'if-none-match': '"' },
  { 'accept-encoding': 'gzip;q=x, ,*' },
  { range: 'bytes=9-1' },
  { authorization: 'Bearer' }
]

/** @type {Operation} */
export const stray = {
  rule: rules.stray,
  anyAnswer: true,
  draw: ({ random }) => ({ path: random.pick(paths), headers: random.pick(headers) })
}
