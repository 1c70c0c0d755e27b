import { setTimeout as sleep } from 'node:timers/promises'
import { languages, newId } from './newsroom.js'
import { editionOf, missingProblem, pageProblem } from './page.js'
import { tracking } from './streams.js'

/**
 * @import { Answer, Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 */

/**
 * What every correct article server must do.
 *
 */

// Long enough for a refresh while a page is being made.
const slowMs = 120
// Between an answer and its count.
const patienceMs = 2500

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers an article in each language',
    run: async (given) => {
      for (const id of given.random.shuffle(given.data.ids).slice(0, 2)) {
        for (const lang of given.random.shuffle([...languages, ...languages])) await expectPage(given, { id, lang })
      }
    }
  },
  {
    name: 'answers in English when no language is asked for',
    run: async (given) => {
      const id = pickId(given)
      await expectPage(given, { id, lang: 'de' })
      await expectPage(given, { id, lang: 'en', path: `/articles/${id}` })
      await expectPage(given, { id, lang: 'en', path: `/articles/${id}?${tracking(given.random).join('&')}` })
    }
  },
  {
    name: 'answers the same article whatever else is in the query string',
    run: async (given) => {
      const { random } = given
      const id = pickId(given)
      for (const lang of languages) {
        const other = random.pick(languages.filter((other) => other !== lang))
        const queries = [
          [...tracking(random), `lang=${lang}`],
          [`lang=${lang}`, ...tracking(random)],
          [`slang=${other}`, `lang=${lang}`, `utm_lang=${other}`],
          [`next=%26lang%3D${other}`, `lang=${lang}`, `lang_=${other}`]
        ]
        for (const query of queries) await expectPage(given, { id, lang, path: `/articles/${id}?${query.join('&')}` })
      }
    }
  },
  {
    name: 'answers every page as before',
    when: ['before'],
    run: async (given) => {
      const { same, random } = given
      for (const lang of languages) {
        await same({ path: `/articles/${pickId(given)}?lang=${lang}` }, {
          headers: ['content-language'],
          // Each server asks for itself and gets editions of its own.
          compare: (theirs, ours) => {
            const [expected, got] = [theirs, ours].map(({ text }) =>
              text.replace(/(<p class="by">[^·]*· \S+) \d+ · \w+/, '$1')
            )
            if (expected !== got) {
              ours.fail(
                `the page is not the slow server’s, apart from the number of its edition: ${difference(expected, got)}`
              )
            }
          }
        })
        await same({ path: `/articles/${newId(random)}?lang=${lang}` }, { headers: ['content-language'] })
      }
      await same({ path: `/articles/${newId(random)}` }, { headers: ['content-language'] })
      for (const path of [`/${random.word(7)}`, '/articles', `/articles/${pickId(given)}/${random.word(4)}`]) {
        await same({ path })
      }
      await same({ method: 'DELETE', path: `/articles/${pickId(given)}` })
    }
  },
  {
    name: 'answers 400 to a language that there is not',
    run: async (given) => {
      const { get, random } = given
      for (const lang of ['xx', 'toString', random.word(2) + random.word(4)]) {
        (await get(`/articles/${pickId(given)}?lang=${lang}`))
          .expectStatus(400)
          .expectType('application/json')
          .expectJson({ error: 'unknown_language' })
      }
    }
  },
  {
    name: 'answers 404 for an article that there is not',
    run: async ({ get, random, data, fail }) => {
      const ids = [
        newId(random),
        `${random.pick(data.ids)}x`,
        random.word(400),
        '__proto__',
        `${random.word(5)}%2F${random.word(5)}`
      ]
      for (const id of ids) {
        const lang = random.pick(languages)
        for (let again = 0; again < 2; again++) {
          const problem = missingProblem(await get(`/articles/${id}?lang=${lang}&${tracking(random).join('&')}`), lang)
          if (problem) fail(`GET /articles/${id.slice(0, 40)}: ${problem}`)
        }
      }
    }
  },
  {
    name: 'shows no edition from before a refresh',
    run: async (given) => {
      const { random } = given
      const [id, other] = random.shuffle(/** @type {string[]} */ (given.data.ids))
      for (let i = 0; i < 2; i++) {
        let after = 0
        for (const lang of languages) {
          await expectPage(given, { id: other, lang })
          after = Math.max(after, await expectPage(given, { id, lang }))
          after = Math.max(
            after,
            await expectPage(given, { id, lang, path: `/articles/${id}?${tracking(random).join('&')}&lang=${lang}` })
          )
        }
        await refresh(given, id)
        for (const lang of random.shuffle([...languages, ...languages])) await expectPage(given, { id, lang, after })
        await expectPage(given, {
          id,
          lang: 'de',
          after,
          path: `/articles/${id}?lang=de&${tracking(random).join('&')}`
        })
        for (const lang of languages) await expectPage(given, { id: other, lang })
      }
    }
  },
  {
    name: 'shows no edition from before a refresh that came while the page was being made',
    run: async (given) => {
      // The second visitor comes while the first one still waits, or when the first one has got the old page.
      for (const together of [true, false]) {
        const { upstream, random } = given
        const [id, lang] = [pickId(given), random.pick(languages)]
        const ask = (/** @type {number} */ after) => expectPage(given, { id, lang, after })
        await refresh(given, id)
        await upstream.reset([{ path: '/articles', delayMs: slowMs }])
        const early = ask(0)
        const answered = early.then(() => true, () => true)
        // Its call has to be under way when the refresh comes.
        while ((await upstream.calls()).length === 0 && !await Promise.race([answered, sleep(10)])) ;
        await refresh(given, id)
        const late = together ? ask(0) : undefined
        late?.catch(() => {})
        const after = await early
        const edition = await (late ?? ask(0))
        if (edition <= after) {
          given.fail(
            `GET /articles/${id}?lang=${lang}: edition ${edition} was fetched before the refresh; a page that is ` +
              'asked for after it needs a later one'
          )
        }
        await upstream.reset()
        await ask(after)
      }
    }
  },
  {
    name: 'answers requests that come together each with its own page',
    run: async (given) => {
      const { random } = given
      const [id, other] = random.shuffle(/** @type {string[]} */ (given.data.ids))
      await refresh(given, id)
      const asked = random.shuffle([id, id, other].flatMap((id) => languages.map((lang) => ({ id, lang }))))
      await Promise.all(
        asked.map(({ id, lang }) =>
          expectPage(given, {
            id,
            lang,
            path: `/articles/${id}?${random.shuffle([`lang=${lang}`, ...tracking(random)]).join('&')}`
          })
        )
      )
    }
  },
  {
    name: 'answers 502 when the newsroom fails, and does not remember it',
    run: async (given) => {
      const { get, upstream, random } = given
      for (const fault of [{ status: 503 }, { reset: true }, { status: random.pick([500, 429]) }]) {
        const [id, lang] = [pickId(given), random.pick(languages)]
        await refresh(given, id)
        await upstream.reset([{ path: '/articles', ...fault }])
        const answers = await Promise.all([1, 2, 3].map(() => get(`/articles/${id}?lang=${lang}`)))
        for (const answer of answers) {
          answer.expectStatus(502).expectType('application/json').expectJson({ error: 'upstream_failed' })
        }
        await upstream.reset()
        await expectPage(given, { id, lang })
      }
    }
  },
  {
    name: 'counts every answer under /articles',
    run: async (given) => {
      const { get, random } = given
      const before = (await get('/metrics')).expectStatus(200).json()
      const [id, lang] = [pickId(given), random.pick(languages)]
      const wanted = { ...before.answers }
      let { bytes } = before
      const count = (/** @type {Answer} */ answer) => {
        wanted[answer.status] = (wanted[answer.status] ?? 0) + 1
        if (answer.headers['content-type']?.startsWith('text/html')) bytes += answer.body.length
      }
      // More than anybody would keep for later.
      for (let i = 0; i < 12; i++) {
        const answers = await Promise.all(Array.from({ length: 10 }, () => get(`/articles/${id}?lang=${lang}`)))
        answers.forEach(count)
      }
      count(await get(`/articles/${newId(random)}`))
      count(await get(`/articles/${id}?lang=${random.word(3)}`))
      count(await refresh(given, id))
      await expectTotals(given, wanted, bytes)
    }
  },
  {
    name: 'has counted what the load asked for',
    when: ['after'],
    run: async ({ get, fail }) => {
      const { answers } = (await get('/metrics')).expectStatus(200).json()
      // Far fewer than the load has sent, far more than the checks have.
      if (!(answers?.[200] >= 300)) {
        fail(
          `GET /metrics, after the load: expected some hundred answers with status 200, got ${JSON.stringify(answers)}`
        )
      }
    }
  }
]

/**
 * @param {Given} given
 * @param {{ id: string, lang: string, after?: number, path?: string }} asked
 * @returns {Promise<number>} the edition
 */
async function expectPage ({ get, data, fail }, { id, lang, after, path = `/articles/${id}?lang=${lang}` }) {
  const answer = await get(path)
  const problem = pageProblem(data, { id, lang, after }, answer)
  if (problem) fail(`GET ${path}: ${problem}`)
  return editionOf(answer.headers)
}

/** @param {Given} given @param {string} id */
async function refresh ({ post }, id) {
  return (await post(`/articles/${id}/refresh`)).expectStatus(204)
}

/** @param {Given} given @param {Record<string, number>} answers @param {number} bytes */
async function expectTotals ({ get, fail }, answers, bytes) {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const got = (await get('/metrics')).expectStatus(200).expectType('application/json').json()
    const wrong = Object.keys(answers).find((status) => got.answers?.[status] !== answers[status])
    if (!wrong && got.bytes === bytes && typeof got.slowestMs === 'number' && got.slowestMs > 0) return
    if (performance.now() > deadline) {
      if (wrong) {
        fail(`GET /metrics: expected ${answers[wrong]} answers with status ${wrong}, got ${got.answers?.[wrong]}`)
      }
      if (got.bytes !== bytes) fail(`GET /metrics: expected ${bytes} bytes of pages, got ${got.bytes}`)
      fail(`GET /metrics: slowestMs is ${got.slowestMs}`)
    }
    await sleep(30)
  }
}

/** @param {Given} given @returns {string} */
function pickId ({ random, data }) {
  return random.pick(data.ids)
}

/** @param {string} expected @param {string} got */
function difference (expected, got) {
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  const around = (/** @type {string} */ text) => text.slice(Math.max(0, at - 20), at + 40) || 'nothing'
  return `expected …${around(expected)}…, got …${around(got)}…`
}
