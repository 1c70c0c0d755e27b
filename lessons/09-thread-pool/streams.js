import { countHash, haste, newHashCount } from '../shared/hashing.js'
import { logIn, wrongCredentials } from '../shared/logins.js'
import { avatarProblem, loginProblem, opaque } from './answers.js'
import { makeId } from './pictures.js'

/**
 * @import { Item, Stream } from '../../runner/lesson/index.js'
 * @import { HashCount } from '../shared/hashing.js'
 * @import { User } from '../shared/logins.js'
 * @import { Known } from './data.js'
 *
 * @typedef {object} Model
 * @property {HashCount} hashes
 * @property {Map<string, string>} tags the ETag of each avatar that was sent
 */

// A mix, not a draw for each request: slices hold few answers and should hold the same share of cheap ones.
const loginMix = [...Array(29).fill('right'), 'older', 'wrong', 'damaged']
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
    older: () => rightLogin(random.pick(data.older), data, model),
    wrong: () => {
      const user = random.pick(data.users)
      const credentials = wrongCredentials(random, data, user)
      return refusal(credentials, credentials.email === user.email ? user.hashMs : 0)
    },
    damaged: () => {
      const user = random.pick(data.damaged)
      return refusal(user, user.hashMs)
    }
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
  const costs = user.hashMs === data.hashMs
  return {
    ...logIn(user),
    answered: ({ status, receivedAt }) => {
      if (status === 200 && costs) countHash(model.hashes, data, receivedAt)
    },
    check: (answer) => {
      if (answer.status !== 200) return `a correct password should get 200, got ${answer.status}`
      return loginProblem({ headers: answer.headers, body: answer.json() }, user, data.config) ??
        haste(answer.elapsedMs, user.hashMs) ??
        model.hashes.tooMany
    }
  }
}

/**
 * @param {{ email: string, password: string }} credentials
 * @param {number} hashMs what the refusal costs
 * @returns {Item}
 */
function refusal (credentials, hashMs) {
  return {
    ...logIn(credentials),
    check: (answer) => {
      if (answer.status !== 401) return `wrong credentials should get 401, got ${answer.status}`
      if (answer.json()?.error !== 'bad_credentials') {
        return `wrong credentials should get the error bad_credentials, got ${answer.text().slice(0, 80)}`
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
      if (answer.status !== 304) return `expected 304 for the ETag ${etag} of an unchanged file, got ${answer.status}`
      if (answer.body.length > 0) return `expected no body with a 304, got ${answer.body.length} bytes`
      if (opaque(answer.headers.etag) !== opaque(etag)) {
        return `expected a 304 with the ETag ${etag}, got ${answer.headers.etag ?? 'none'}`
      }
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
