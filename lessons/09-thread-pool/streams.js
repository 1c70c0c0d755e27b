import { countHash, haste, newHashCount } from '../shared/hashing.js'
import { almost, avatarProblem, loginProblem, opaque } from './answers.js'
import { makeId } from './pictures.js'

/**
 * @import { Item, Random, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 * @import { Known, User } from './data.js'
 *
 * @typedef {object} Model
 * @property {HashCount} hashes
 * @property {Map<string, string>} tags the ETag of each avatar that was sent
 */

// A mix, not a draw for each request: slices hold few answers and should hold the same share of cheap ones.
const loginMix = [...Array(30).fill('right'), 'wrong', 'unknown']
const avatarMix = [...Array(18).fill('send'), 'revalidate', 'absent']

/** @returns {Model} */
export function newModel () {
  return { hashes: newHashCount(), tags: new Map() }
}

/** @type {Stream} */
export function logins ({ random, data, model }) {
  /** @type {string[]} */
  let kinds = []
  const login = {
    right: () => rightLogin(random.pick(data.users), data, model),
    wrong: () => wrongLogin(random, data),
    unknown: () => refusal({ email: `${random.word(9)}@${random.word(6)}.example`, password: random.word(12) })
  }
  return () => {
    if (kinds.length === 0) kinds = random.shuffle(loginMix)
    return login[/** @type {keyof typeof login} */ (kinds.pop())]()
  }
}

/** @type {Stream} */
export function avatars ({ random, data, model }) {
  const ids = Object.keys(data.avatars)
  const pictures = new Map(ids.map((id) => [id, Buffer.from(data.avatars[id], 'base64')]))
  /** @type {string[]} */
  let kinds = []
  return () => {
    if (kinds.length === 0) kinds = random.shuffle(avatarMix)
    const kind = kinds.pop()
    const id = random.pick(ids)
    if (kind === 'absent') return absent(makeId(random))
    const etag = kind === 'revalidate' ? model.tags.get(id) : undefined
    return etag ? revalidate(id, etag) : send(id, /** @type {Buffer} */ (pictures.get(id)), model)
  }
}

/** @param {User} user @param {Known} data @param {Model} model @returns {Item} */
function rightLogin (user, data, model) {
  let now = 0
  return {
    ...post({ email: user.email, password: user.password }),
    answered: ({ status, receivedAt }) => {
      now = Date.now()
      if (status === 200) countHash(model.hashes, data, receivedAt)
    },
    check: (answer) => {
      if (answer.status !== 200) return `a right password should be answered with 200, got ${answer.status}`
      return loginProblem(answer.json(), { user, config: data.config, now }) ??
        haste(answer.elapsedMs, data.hashMs) ??
        model.hashes.tooMany
    }
  }
}

/** @param {Random} random @param {Known} data */
function wrongLogin (random, data) {
  const user = random.pick(data.users)
  const credentials = random.next() < 0.5
    ? { email: user.email, password: almost(user.password, random) }
    : { email: data.damaged.email, password: data.damaged.password }
  return refusal(credentials, data.hashMs)
}

/**
 * @param {{ email: string, password: string }} credentials
 * @param {number} [hashMs] of a known user, whose refusal takes a hash
 * @returns {Item}
 */
function refusal (credentials, hashMs = 0) {
  return {
    ...post(credentials),
    check: (answer) => {
      if (answer.status !== 401) return `wrong credentials should be answered with 401, got ${answer.status}`
      if (answer.json()?.error !== 'bad_credentials') {
        return `wrong credentials should be answered with the error bad_credentials, got ${answer.text().slice(0, 80)}`
      }
      return haste(answer.elapsedMs, hashMs)
    }
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
      if (answer.status !== 304) return `expected 304 to the ETag ${etag} of an unchanged file, got ${answer.status}`
      if (answer.body.length > 0) return `expected no body with a 304, got ${answer.body.length} bytes`
      if (opaque(answer.headers.etag) !== opaque(etag)) {
        return `a 304 with the ETag ${answer.headers.etag ?? 'none'} instead of ${etag}`
      }
    }
  }
}

/** @param {string} id @returns {Item} */
function absent (id) {
  return {
    path: `/avatar/${id}`,
    check: (answer) => {
      if (answer.status !== 404) return `expected 404 for somebody without an avatar, got ${answer.status}`
      if (answer.json()?.error !== 'not_found') {
        return `expected {"error":"not_found"}, got ${answer.text().slice(0, 80)}`
      }
    }
  }
}

/** @param {unknown} json */
function post (json) {
  return { method: 'POST', path: '/login', json }
}
