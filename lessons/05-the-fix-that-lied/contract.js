import { setTimeout as sleep } from 'node:timers/promises'
import { byMoment } from '../form/index.js'
import { costProblem, haste, plausibleShare } from '../shared/hashing.js'
import { newPassword, newcomer, pathOf } from './users.js'

/**
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { Credentials } from './users.js'
 */

/** More than any sensible bound on a queue. */
const many = 48
const several = 12
/** What `new URL` throws at. */
const noAddresses = ['//', '///', '//:80', '//[', '//x:99999', '//%']

export const contract = byMoment({
  always: {
    'keeps running, whatever a client sends': async ({ get }) => {
      for (const path of noAddresses) await get(path)
      ;(await get('/healthz')).expectStatus(200)
    },
    'gives a name to one of several clients that request it at the same time': async (given) => {
      const { get, send, within, random, fail, late } = given
      const [one, other] = [newcomer(random), newcomer(random)]
      const different = Array.from({ length: 3 }, () => ({ ...one, password: newPassword(random) }))
      for (const rivals of [different, [other, other, other]]) {
        const [answers, early] = await Promise.all([
          // Others come in between, who want other names.
          Promise.all(rivals.map(async (rival) => {
            const answer = get(pathOf('newUser', rival))
            await get(pathOf('newUser', newcomer(random)))
            return answer
          })),
          // Before the hash is ready, nothing can tell yet whose name it is.
          Promise.all(rivals.map((rival) => get(pathOf('auth', rival))))
        ])
        const statuses = answers.map(({ status }) => status).sort().join(', ')
        if (statuses !== '200, 409, 409') {
          fail(
            'GET /newUser: three registrations of one new name at the same time' +
              `${rivals === different ? '' : ', with the same password,'} should get 200, 409 and 409, got ${statuses}`
          )
        }
        const { password } = rivals[answers.findIndex(({ status }) => status === 200)]
        // It is taken for its owner, too.
        ;(await get(pathOf('newUser', { ...rivals[0], password }))).expectStatus(409)
        for (const [index, rival] of rivals.entries()) {
          const wanted = rival.password === password ? 200 : 401
          if (early[index].status !== wanted) early[index].expectStatus(401)
          ;(await get(pathOf('auth', rival))).expectStatus(wanted)
        }
      }
      // A client that leaves has got the name, or anyone may have it.
      const gone = newcomer(random)
      await send({ path: pathOf('newUser', gone), leaveMs: 5 }).catch(() => {})
      for (const end = performance.now() + await within(2000); ; await sleep(50)) {
        const { status } = await get(pathOf('newUser', gone))
        if (status === 200 || (await get(pathOf('auth', gone))).status === 200) return
        if (performance.now() > end) late(`GET /newUser: its client left, and the name can’t be had or used: ${status}`)
      }
    },
    'hashes the password at every login and registration': async (given) => {
      const { get, data, random, cpuMs, fail } = given
      const user = newcomer(random)
      expectHash('newUser', (await get(pathOf('newUser', user))).expectStatus(200), given)
      // Sleeping takes time, too.
      const before = await cpuMs()
      const others = Array.from({ length: several }, () => ({ ...newcomer(random), password: user.password }))
      await Promise.all(others.map((other) => get(pathOf('newUser', other))))
      const usedMs = await cpuMs() - before
      if (usedMs < several * data.hashMs * plausibleShare) {
        fail(
          `GET /newUser: ${several} registrations with one password took ${usedMs.toFixed(0)} ms of CPU time in all, ` +
            `where one hash takes ${data.hashMs.toFixed(0)} ms: were these passwords hashed?`
        )
      }
      const [one, other] = random.shuffle([user, random.pick(data.users)])
      const enter = async (/** @type {Credentials} */ user, status = 200) =>
        (await get(pathOf('auth', user))).expectStatus(status).elapsedMs
      const problem = await costProblem({
        right: () => enter(one),
        other: () => enter(other),
        wrong: (password) => enter({ ...one, password }, 401),
        visit: (agent) => get('/healthz', { agent })
      }, { ...given, hashMs: data.hashMs, password: one.password })
      if (problem !== undefined) fail(`GET /auth: ${problem}`)
    }
  },
  before: {
    'treats a different text as a different name, even when both look the same': (given) =>
      refusesOthers(given, 'username'),
    'lets a new user in with that password and no other, even when both look the same': (given) =>
      refusesOthers(given, 'password'),
    'doesn’t count a name as taken when it refuses a registration': async ({ get, random }) => {
      for (const wrong of ['', '&password=', '&password=one&password=two']) {
        const user = newcomer(random)
        ;(await get(`/newUser?username=${encodeURIComponent(user.username)}${wrong}`)).expectStatus(400)
        ;(await get(pathOf('newUser', user))).expectStatus(200)
      }
    },
    'registers many different names at the same time': async ({ get, random, isBaseline }) => {
      // One after the other, it would take a second or more there.
      if (isBaseline) return
      await Promise.all(Array.from({ length: many }, async () => {
        // On a busy machine the last answers may come too late: only the others count.
        const answer = await get(pathOf('newUser', newcomer(random))).catch(() => null)
        answer?.expectStatus(200)
      }))
    }
  }
})

/**
 * The same letters in other characters: composed, decomposed, and in their compatible form.
 *
 * @param {Given} given
 * @param {keyof Credentials} field
 */
async function refusesOthers (given, field) {
  const { get, random } = given
  const someone = newcomer(random)
  // As long as few are, so that the end counts, too.
  const user = { ...someone, [field]: `${someone[field]}${random.word(200)}\u00e9e\u0301\u2460` }
  ;(await get(pathOf('newUser', user))).expectStatus(200)
  for (const form of ['NFC', 'NFD', 'NFKC']) {
    ;(await get(pathOf('auth', { ...user, [field]: user[field].normalize(form) }))).expectStatus(401)
  }
  // Nothing but blanks is a text, too.
  const blank = { ...newcomer(random), [field]: random.shuffle([...'  \t\t\u00a0\u00a0\u3000']).join('') }
  for (const route of /** @type {const} */ (['newUser', 'auth'])) {
    expectHash(route, (await get(pathOf(route, blank))).expectStatus(200), given)
  }
}

/** @param {string} route @param {Answer} answer @param {Given} given */
function expectHash (route, { elapsedMs }, { data, fail }) {
  const tooSoon = haste(elapsedMs, data.hashMs)
  if (tooSoon !== undefined) fail(`GET /${route}: ${tooSoon}`)
}
