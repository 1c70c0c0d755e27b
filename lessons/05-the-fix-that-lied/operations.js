import { countDrawn } from '../shared/answers.js'
import { almost } from '../shared/logins.js'
import { urlOf } from '../shared/urls.js'
import { namesOfObjects, nearName, newPassword, newcomer, pathOf, wrongCredentials } from './users.js'

/**
 * @import { Operation, Step } from '../../runner/contract/index.js'
 * @import { DrawGiven } from '../form/types.js'
 * @import { Credentials } from './users.js'
 */

const newest = 5

/** @type {Record<string, Operation>} */
const visits = {
  enter: {
    rule: 'answers 200 to the right password',
    weight: 4,
    draw: (given) => {
      const { about, random } = given
      const known = knownIn(given)
      const name = about && credentialsOf(about).username
      const someone = random.pick(random.next() < 0.5 ? known : known.slice(-newest))
      const user = known.find(({ username }) => username === name) ?? someone
      return { path: pathOf('auth', user, random) }
    }
  },
  refuse: {
    rule: 'answers 401 to a wrong password and to an unknown name',
    weight: 4,
    draw: (given) => {
      const { about, random } = given
      // A refused registration must not log in; a successful one must not with another password.
      if (about?.name === 'taken') return { path: pathOf('auth', credentialsOf(about), random) }
      const right = about ? credentialsOf(about) : random.pick(knownIn(given))
      return { path: pathOf('auth', wrongCredentials(random, right), random) }
    }
  },
  damaged: {
    rule: 'compares the whole hash',
    least: 2,
    draw: ({ random, data, past }) =>
      ({ path: pathOf('auth', data.damaged[past('damaged').length % data.damaged.length], random) })
  },
  stranger: {
    rule: 'accepts any text as a name, even __proto__, and lets in only registered users',
    weight: 3,
    draw: ({ random, past }) => {
      const username = namesOfObjects[past('stranger').length % namesOfObjects.length]
      return { path: pathOf('auth', { username, password: newPassword(random) }, random) }
    }
  },
  spelling: {
    rule: 'treats a different spelling as a different name',
    weight: 4,
    draw: (given) => {
      const { username, password } = given.random.pick(knownIn(given))
      return { path: pathOf('auth', { username: nearName(username, given.random), password }, given.random) }
    }
  },
  register: {
    rule: 'answers 200 when the name is free, whatever text it is',
    effect: 'lets a new user in as soon as the registration is answered, and no one else',
    touches: ['enter', 'refuse'],
    weight: 3,
    draw: (given) => {
      const { random, past } = given
      const asked = past('register').map((step) => credentialsOf(step).username)
      const user = newcomer(random)
      const near = nearName(random.pick(knownIn(given)).username, random)
      const username = random.pick([user.username, near, random.pick(namesOfObjects), random.pick(namesOfObjects)])
      return { path: pathOf('newUser', asked.includes(username) ? user : { ...user, username }, random) }
    }
  },
  taken: {
    rule: 'answers 409 to a name that is taken',
    effect: 'keeps the password of a name’s owner when another client requests that name',
    touches: ['enter', 'refuse'],
    draw: (given) => {
      const { random } = given
      // Not the last one: of two at the same moment, either may get it.
      const { username, password } = random.pick(knownIn(given, -1))
      const another = random.pick([newPassword(random), almost(password, random), password])
      return { path: pathOf('newUser', { username, password: another }, random) }
    }
  },
  incomplete: {
    rule: 'answers 400 to a name or password that is missing, empty or sent twice, and keeps running',
    weight: 2,
    draw: (given) => spoiled(given, (name, password) => [
      [], [name], [password], [name, 'password='], ['username=', password], ['username', password], [name, 'password'],
      [name, 'Password=secret']
    ])
  },
  twice: {
    rule: 'answers 400 to a name or password that is missing, empty or sent twice, and keeps running',
    weight: 3,
    draw: (given) => spoiled(given, (name, password) => [
      [name, password, 'password=public'], [name, password, password], [name, name, password],
      ['username=me', password, name]
    ])
  }
}

/** The text only says “plain text”. */
const headers = [{ name: 'content-type', read: (/** @type {string | undefined} */ value) => value?.split(/\s*;/)[0] }]

/** @type {Record<string, Operation>} */
export const operations = {
  healthz: { rule: 'answers GET /healthz with {"status":"ok"}', draw: () => ({ path: '/healthz' }) },
  ...Object.fromEntries(Object.entries(visits).map(([name, visit]) => [name, { ...visit, headers }])),
  odd: {
    rule: 'refuses a login with a broken percent-encoding or brackets, and keeps running',
    loose: true,
    least: 5,
    draw: ({ random, data, past }) => {
      const { username, password } = random.pick(data.users)
      const queries = [
        `username=%FE&password=${password.slice(0, 1)}`,
        `username=%E0%A4%A&password=${password.slice(0, 1)}`, 'username[]=me&password[]=secret',
        `username=${username}&password[a]=secret`, `username[toString]=me&password=${password.slice(0, 1)}`
      ]
      return { path: `/auth?${queries[countDrawn(past('odd')) % queries.length]}` }
    }
  }
}

/**
 * @param {DrawGiven} given
 * @param {(name: string, password: string) => string[][]} ways one of which is taken: the parameters
 */
function spoiled (given, ways) {
  const { random } = given
  // A known name gets as far as the hash.
  const user = random.pick([newcomer(random), random.pick(knownIn(given))])
  const [name, password] = Object.entries(user).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return { path: `/${random.pick(['newUser', 'auth'])}?${random.pick(ways(name, password)).join('&')}` }
}

/**
 * Users who can log in at this point.
 *
 * @param {DrawGiven} given
 * @param {number} [end] leaves out the last who registered
 * @returns {Credentials[]}
 */
function knownIn ({ data, past }, end) {
  return [...data.users, ...past('register').slice(0, end).map(credentialsOf)]
}

/** @param {Step} step @returns {Credentials} */
function credentialsOf (step) {
  const { searchParams } = new URL(urlOf(step), 'http://127.0.0.1')
  return { username: searchParams.get('username') ?? '', password: searchParams.get('password') ?? '' }
}
