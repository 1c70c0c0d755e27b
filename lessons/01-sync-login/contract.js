import { setTimeout as sleep } from 'node:timers/promises'
import jwt from 'jsonwebtoken'
import { byMoment, takesMany } from '../form/index.js'
import { inBatches } from '../shared/batches.js'
import { hashesAtEveryLogin } from '../shared/hashing.js'
import { anyUser, logIn, secondMs } from '../shared/logins.js'
import { accessProblem, loginProblem } from './answers.js'
import { otherCookies, redeem, refreshCookie } from './operations.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { User } from '../shared/logins.js'
 */

const rivals = 4
const races = 3
const crowd = 5
/** Users whose hashes cost less. */
const largeCrowd = 120

export const contract = byMoment({
  always: { [hashesAtEveryLogin.name]: hashesAtEveryLogin.run },
  before: {
    'gives the same message for an unknown e-mail and a wrong password': async ({ send, data, random, fail }) => {
      const { email } = anyUser(random, data)
      const [unknown, wrong] = [`${random.word(8)}@nobody.example`, email]
        .map((email) => send(logIn({ email, password: random.word(12) })))
      const { message } = (await unknown).expectStatus(401).json()
      if ((await wrong).expectStatus(401).json().message !== message) {
        fail('POST /login: a wrong password and an unknown e-mail get different messages: that shows who is known')
      }
    },
    'answers each of several logins at the same time with its own tokens': async ({ send, data, random, fail }) => {
      const many = Array.from({ length: largeCrowd }, () => random.pick(data.older))
      const users = [...random.shuffle([...data.older, ...data.users]).slice(0, crowd), ...many]
      const refused = send(logIn({ email: users[0].email, password: random.word(12) }))
      const answers = await Promise.all(users.map((user) => enter(send, user)))
      ;(await refused).expectStatus(401)
      await inBatches({ count: answers.length, atOnce: crowd }, async (index, agent) => {
        const problem = loginProblem(answers[index], users[index], data.config)
        if (problem !== undefined) fail(`POST /login: ${problem}`)
        const renewed = (await send({ ...redeem(refreshCookie(answers[index])), agent })).expectStatus(200)
        const problemOfNew = accessProblem(renewed, users[index], data.config)
        if (problemOfNew !== undefined) fail(`POST /token: ${problemOfNew}`)
      })
    },
    'honours a refresh token, whatever other cookies come with it': async ({ send, data, random, fail }) => {
      const used = refreshCookie(await enter(send, anyUser(random, data)))
      ;(await send(redeem(used))).expectStatus(200)
      // Some have the value of a token that's no longer valid.
      const others = otherCookies.map((other) => other.replace('=e30', used.slice(used.indexOf('='))))
      for (const other of others) {
        const cookie = refreshCookie(await enter(send, anyUser(random, data)))
        const { status } = await send(redeem([other, cookie, other].join('; ')))
        const shown = other.slice(0, 40)
        if (status !== 200) fail(`POST /token: sent with the cookie ${shown}, it should answer 200, got ${status}`)
      }
    },
    'honours a refresh token once, even when several requests present it at the same time':
      async ({ send, data, random, fail }) => {
        for (let race = 0; race < races; race++) {
          const cookie = refreshCookie(await enter(send, anyUser(random, data)))
          // A server that waits for a thread between looking at the token and removing it waits for these. Without them
          // several processes are free to answer at the same moment.
          const others = race === 0 ? random.shuffle(data.users).slice(0, crowd) : []
          const entering = others.map((user) => enter(send, user))
          const racing = await Promise.all(Array.from({ length: rivals }, () => send(redeem(cookie))))
          await Promise.all(entering)
          const granted = racing.filter(({ status }) => status === 200).length
          if (granted !== 1) {
            fail(`POST /token: ${rivals} requests sent one refresh token at once, and ${granted} of them got 200`)
          }
        }
      }
  },
  apart: {
    'makes new random tokens for every login': takesMany({
      draw: ({ data }) => logIn(data.eldest),
      makes: (answer) => ({
        xsrfToken: answer.expectStatus(200).json().xsrfToken,
        'refresh token': refreshCookie(answer)
      }),
      isSecret: true,
      lasts: async ({ send, data }, { 'refresh token': first }) => {
        await sleep(secondMs)
        const from = Math.floor(Date.now() / 1000)
        const answer = (await send(redeem(first))).expectStatus(200)
        const { exp } = /** @type {any} */ (jwt.decode(answer.cookie('access_token').value))
        if (exp < from + data.config.accessTokenTtlSeconds) {
          answer.fail(`its access_token expires ${exp - from} s after the request for it: when was it signed?`)
        }
      }
    })
  }
})

/** @param {Given['send']} send @param {User} user */
async function enter (send, user) {
  return (await send(logIn(user))).expectStatus(200)
}
