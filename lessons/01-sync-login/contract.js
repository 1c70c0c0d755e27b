import { haste } from '../shared/hashing.js'
import { accessCookieProblem, bodyProblem, refreshCookieProblem, tokenProblem } from './answers.js'
import { sameLength } from './streams.js'

/**
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { User } from './answers.js'
 */

/**
 * What every correct login server must do. A login costs a hash, tens of milliseconds: checks are sparing with logins.
 */

// An answer from memory that has to wait for a busy core takes as long as a hash, now and then: one look is not enough.
const hastyRepeats = 6
const differentCharacters = 8

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers GET /healthz with {"status":"ok"}',
    run: async ({ get }) => {
      (await get('/healthz')).expectStatus(200).expectType('application/json').expectJson({ status: 'ok' })
    }
  },
  {
    name: 'answers 400 to a parameter that is missing, empty or no text',
    run: async ({ post, data }) => {
      const { email, password } = data.users[0]
      const cases = [
        [{ email }, 'password'],
        [{ password }, 'email'],
        [{ email, password: '' }, 'password'],
        [{ email, password: 12345678 }, 'password'],
        [{ email: { $ne: null }, password }, 'email']
      ]
      for (const [json, missing] of cases) {
        (await post('/login', { json }))
          .expectStatus(400)
          .expectJson({ error: 'missing_required_parameters', context: { body: [missing] } })
      }
    }
  },
  {
    name: 'answers 401 to an unknown e-mail',
    run: async ({ post, data, random }) => {
      const { password } = data.users[0]
      for (const email of [`${random.word(8)}@nobody.example`, '__proto__', 'constructor']) {
        (await post('/login', { json: { email, password } }))
          .expectStatus(401)
          .expectShape({ error: /^bad_credentials$/, message: 'string' })
      }
    }
  },
  {
    name: 'answers 401 to a wrong password, also after a right one',
    run: async ({ post, data, random, fail }) => {
      const [{ email, password }, other] = random.shuffle(data.users)
      const wrong = sameLength(password, random)
      const unknown = await post('/login', { json: { email: `${random.word(8)}@nobody.example`, password } })
      const refuse = async (/** @type {string} */ text) => {
        const answer = (await post('/login', { json: { email, password: text } }))
          .expectStatus(401)
          .expectShape({ error: /^bad_credentials$/, message: 'string' })
        if (answer.json().message !== unknown.json().message) {
          fail(
            'POST /login: a wrong password and an unknown e-mail should get the same message, or the answer tells ' +
              'which e-mails exist'
          )
        }
      }
      await refuse(wrong)
      ;(await post('/login', { json: { email, password } })).expectStatus(200)
      await refuse(wrong)
      await refuse(other.password)
    }
  },
  {
    name: 'compares the whole hash',
    // The last half of this user's last byte is damaged: a server that compares less lets the password pass.
    run: async ({ post, data }) => {
      const { email, password } = data.damaged
      ;(await post('/login', { json: { email, password } })).expectStatus(401)
    }
  },
  {
    name: 'answers a login with both expiry times and an xsrfToken',
    run: async ({ post, data, random, fail }) => {
      const answer = await logIn(post, random.pick(data.users))
      answer.expectType('application/json')
      report(fail, bodyProblem(answer.json(), data.config))
    }
  },
  {
    name: 'signs an access token that names the user and expires',
    run: async ({ post, data, random, fail }) => {
      const user = random.pick(data.users)
      const answer = await logIn(post, user)
      const { xsrfToken } = answer.json()
      report(fail, tokenProblem(answer.cookie('access_token').value, { user, config: data.config, xsrfToken }))
    }
  },
  {
    name: 'sets both cookies HttpOnly and Secure, the refresh token for /token only',
    run: async ({ post, data, random, fail }) => {
      const answer = await logIn(post, random.pick(data.users))
      report(
        fail,
        accessCookieProblem(answer.cookie('access_token')) ?? refreshCookieProblem(answer.cookie('refresh_token'))
      )
    }
  },
  {
    name: 'makes new random tokens for every login',
    run: async ({ post, data, random, fail }) => {
      const user = random.pick(data.users)
      const [first, second] = [await logIn(post, user), await logIn(post, user)]
      report(fail, alike('xsrfToken', first.json().xsrfToken, second.json().xsrfToken) ??
        alike('refresh token', first.cookie('refresh_token').value, second.cookie('refresh_token').value))
    }
  },
  {
    name: 'hashes the password at every login',
    run: async ({ post, data, random, fail }) => {
      const user = random.pick(data.users)
      for (let i = 0; i < hastyRepeats; i++) report(fail, haste((await logIn(post, user)).elapsedMs, data.hashMs))
    }
  },
  {
    name: 'answers every one of several logins at the same time with its own token',
    run: async ({ post, data, random, fail }) => {
      const users = random.shuffle(data.users).slice(0, 3)
      const [wrong, ...answers] = await Promise.all([
        post('/login', { json: { email: users[0].email, password: random.word(12) } }),
        ...users.map((user) => logIn(post, user))
      ])
      wrong.expectStatus(401)
      answers.forEach((answer, index) => {
        const { xsrfToken } = answer.json()
        report(
          fail,
          tokenProblem(answer.cookie('access_token').value, { user: users[index], config: data.config, xsrfToken })
        )
      })
    }
  },
  {
    name: 'honours a refresh token once',
    run: async ({ post, data, random, fail }) => {
      const user = random.pick(data.users)
      const [older, newer] = [await logIn(post, user), await logIn(post, user)].map((answer) =>
        redeem(answer.cookie('refresh_token').value)
      )
      const renewed = (await post('/token', newer)).expectStatus(200)
      const access = renewed.cookie('access_token')
      report(fail, accessCookieProblem(access) ?? tokenProblem(access.value, { user, config: data.config }))
      ;(await post('/token', newer)).expectStatus(401)
      const racing = await Promise.all([post('/token', older), post('/token', older), post('/token', older)])
      const statuses = racing.map(({ status }) => status).sort()
      if (statuses.join() !== '200,401,401') {
        fail(
          'POST /token: three requests with one refresh token at the same time should get 200, 401 and 401, got ' +
            `${statuses.join(', ')}`
        )
      }
    }
  },
  {
    name: 'refuses a refresh token that it did not give out',
    run: async ({ post, random }) => {
      (await post('/token', redeem(random.bytes(128).toString('hex')))).expectStatus(401)
      ;(await post('/token', {})).expectStatus(401)
    }
  }
]

/** @param {any} post @param {User} user */
async function logIn (post, { email, password }) {
  return (await post('/login', { json: { email, password } })).expectStatus(200)
}

/** @param {string} token */
function redeem (token) {
  return { headers: { cookie: `refresh_token=${token}` } }
}

/** @param {(message: string) => void} fail @param {string | undefined} problem */
function report (fail, problem) {
  if (problem !== undefined) fail(`POST /login: ${problem}`)
}

/**
 * Random texts differ nearly everywhere; a counter or a time stamp does not.
 *
 * @param {string} name
 * @param {string} a
 * @param {string} b
 */
function alike (name, a, b) {
  if (a === b) return `two logins got the same ${name}`
  const different = [...a].filter((character, index) => character !== b[index]).length
  if (different < differentCharacters) {
    return `the ${name} of two logins differs in ${different} characters only: can the next one be guessed?`
  }
}
