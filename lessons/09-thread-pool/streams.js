import { inMix } from '../shared/batches.js'
import { wrongNotModified } from '../shared/conditions.js'
import { loginsOf, newHashCount } from '../shared/hashing.js'
import { uuid } from '../shared/users.js'
import { avatarProblem, loginProblem } from './answers.js'

/** @import { Item, Stream } from '../../runner/lesson/index.js' */

const loginMix = [...Array(29).fill('right'), 'older', 'wrong', 'damaged']
const avatarMix = [...Array(18).fill('send'), 'revalidate', 'absent']

/** With the ETag of each avatar that was sent. */
export function newModel () {
  return { hashes: newHashCount(), tags: new Map() }
}

/** @type {Stream} */
export function logins (given) {
  const login = loginsOf(given, (answer, user) => loginProblem(answer, user, given.data.config))
  const next = inMix(given.random, loginMix)
  return () => login[next()]()
}

/** @type {Stream} */
export function avatars ({ random, data: { avatars }, model: { tags } }) {
  const ids = Object.keys(avatars)
  const next = inMix(random, avatarMix)
  return () => {
    const kind = next()
    const id = random.pick(ids)
    if (kind === 'absent') return absent(uuid(random))
    const etag = kind === 'revalidate' && tags.get(id)
    if (etag) return revalidate(id, etag)
    return {
      path: `/avatar/${id}`,
      key: `send ${id}`,
      answered: ({ status, headers: { etag } }) => { if (status === 200 && etag) tags.set(id, etag) },
      check: (answer) => avatarProblem(answer, Buffer.from(avatars[id], 'base64'))
    }
  }
}

/** @param {string} id @param {string} etag @returns {Item} */
function revalidate (id, etag) {
  return {
    path: `/avatar/${id}`,
    headers: { 'if-none-match': etag },
    key: `revalidate ${id} ${etag}`,
    check: (answer) => answer.status === 304
      ? wrongNotModified(answer, etag)
      : `expected 304 for the ETag ${etag} of an unchanged file, got ${answer.status}`
  }
}

/** @param {string} id @returns {Item} */
function absent (id) {
  return {
    path: `/avatar/${id}`,
    check: (answer) => {
      if (answer.status !== 404) return `expected 404 when there’s no such avatar, got ${answer.status}`
      if (answer.json()?.error === 'not_found') return
      return `expected {"error":"not_found"}, got ${answer.text().slice(0, 80)}`
    }
  }
}
