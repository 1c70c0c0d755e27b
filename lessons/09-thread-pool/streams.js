import { inMix } from '../shared/batches.js'
import { wrongNotModified } from '../shared/conditions.js'
import { loginsOf, newHashCount } from '../shared/hashing.js'
import { uuid } from '../shared/users.js'
import { avatarProblem, loginProblem } from './answers.js'

/**
 * @import { Item, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 *
 * @typedef {object} Model
 * @property {HashCount} hashes
 * @property {Map<string, string>} tags the ETag of each avatar that was sent
 */

const loginMix = [...Array(29).fill('right'), 'older', 'wrong', 'damaged']
const avatarMix = [...Array(18).fill('send'), 'revalidate', 'absent']

/** @returns {Model} */
export function newModel () {
  return { hashes: newHashCount(), tags: new Map() }
}

/** @type {Stream} */
export function logins (given) {
  const { random, data } = given
  const login = loginsOf(given, (answer, user) =>
    loginProblem({ headers: answer.headers, body: answer.json() }, user, data.config))
  const next = inMix(random, loginMix)
  return () => login[next()]()
}

/** @type {Stream} */
export function avatars ({ random, data, model }) {
  const ids = Object.keys(data.avatars)
  const pictures = Object.fromEntries(ids.map((id) => [id, Buffer.from(data.avatars[id], 'base64')]))
  const next = inMix(random, avatarMix)
  return () => {
    const kind = next()
    const id = random.pick(ids)
    if (kind === 'absent') return absent(uuid(random))
    const etag = kind === 'revalidate' ? model.tags.get(id) : undefined
    return etag ? revalidate(id, etag) : send(id, pictures[id], model)
  }
}

/** @param {string} id @param {Buffer} picture @param {Model} model @returns {Item} */
function send (id, picture, model) {
  return {
    path: `/avatar/${id}`,
    key: `send ${id}`,
    answered: ({ status, headers }) => {
      if (status === 200 && headers.etag) model.tags.set(id, headers.etag)
    },
    check: (answer) => avatarProblem(answer, picture)
  }
}

/** @param {string} id @param {string} etag @returns {Item} */
function revalidate (id, etag) {
  return {
    path: `/avatar/${id}`,
    headers: { 'if-none-match': etag },
    key: `revalidate ${id} ${etag}`,
    check: (answer) => {
      if (answer.status !== 304) return `expected 304 for the ETag ${etag} of an unchanged file, got ${answer.status}`
      return wrongNotModified(answer, etag)
    }
  }
}

/** @param {string} id @returns {Item} */
function absent (id) {
  return {
    path: `/avatar/${id}`,
    check: (answer) => {
      if (answer.status !== 404) return `expected 404 when there’s no such avatar, got ${answer.status}`
      if (answer.json()?.error !== 'not_found') {
        return `expected {"error":"not_found"}, got ${answer.text().slice(0, 80)}`
      }
    }
  }
}
