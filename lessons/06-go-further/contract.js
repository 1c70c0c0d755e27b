import { isDeepStrictEqual } from 'node:util'
import { changeText, makeData } from './content.js'
import { cacheControl, wrongTag } from './tags.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 */

const json = /^application\/json\b/i

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers GET /seed/v1 with data and url as JSON',
    when: ['before'],
    async run ({ get, data }) {
      const answer = await get('/seed/v1')
      answer.expectStatus(200).expectHeader('content-type', json).expectJson({ data: data.data, url: '/seed/v1' })
    }
  },
  {
    name: 'answers with the URL that was asked for, query string included',
    async run ({ get, random, fail }) {
      const paths = [
        `/seed/v1?${random.word(6)}=1`,
        `/seed/v1?a=${random.word(5)}&b=%C3%A9%20&a=2`,
        `/seed/v1?q="${random.word(4)}"\\n`,
        '/seed/v1'
      ]
      for (const path of [...paths, ...paths]) {
        const { url } = (await get(path)).expectStatus(200).expectHeader('content-type', json).json()
        if (url !== path) {
          fail(`GET ${path}: expected \`url\` to be ${JSON.stringify(path)}, got ${JSON.stringify(url)}`)
        }
      }
    }
  },
  {
    name: `sends Cache-Control: ${cacheControl}`,
    async run ({ get, random }) {
      for (const path of ['/seed/v1', `/seed/v1?cache=${random.word(6)}`]) {
        const answer = await get(path)
        answer.expectStatus(200).expectHeader('cache-control', cacheControl)
      }
    }
  },
  {
    name: 'sends a strong, quoted ETag, from the first answer on',
    async run ({ get, random }) {
      const path = `/seed/v1?tag=${random.word(6)}`
      await getTag(get, path)
      await getTag(get, path)
      await getTag(get, '/seed/v1')
    }
  },
  {
    name: 'keeps the ETag and every byte while the content is the same',
    async run ({ get, random, fail }) {
      for (const path of ['/seed/v1', `/seed/v1?keep=${random.word(6)}`]) {
        const [first, second, third] = [await get(path), await get(path), await get(path)]
        for (const answer of [second, third]) {
          if (answer.headers.etag !== first.headers.etag) {
            fail(`GET ${path}: the ETag changed from ${first.headers.etag} to ${answer.headers.etag} without a PUT`)
          }
          if (!answer.body.equals(first.body)) {
            fail(
              `GET ${path}: two answers with the ETag ${first.headers.etag} differ in their bytes, so the tag is no ` +
                'strong one'
            )
          }
        }
      }
    }
  },
  {
    name: 'shows new content in the very next answer, for every URL',
    async run ({ get, send, random, fail }) {
      const seen = ['/seed/v1', `/seed/v1?page=${random.word(6)}`, `/seed/v1?page=${random.word(6)}`]
      for (const path of seen) await get(path)
      for (let i = 0; i < 3; i++) {
        const data = makeData(random, 2)
        await put(send, data)
        for (const path of [...seen, `/seed/v1?new=${random.word(6)}`]) {
          const answer = await get(path)
          const shown = answer.expectStatus(200).json().data
          if (!isDeepStrictEqual(shown, data)) {
            fail(`GET ${path}: \`data\` is not what was sent with the PUT that was answered before`)
          }
          answer.expectJson({ data, url: path })
        }
      }
    }
  },
  {
    name: 'changes the ETag with every change, however small',
    async run ({ get, send, random, fail }) {
      let data = makeData(random, 2)
      const paths = ['/seed/v1', `/seed/v1?small=${random.word(6)}`]
      /** @type {Set<string>} */
      const seen = new Set()
      for (let i = 0; i < 5; i++) {
        await put(send, data)
        for (const path of paths) {
          const etag = await getTag(get, path)
          const key = `${path} ${etag}`
          if (seen.has(key)) fail(`GET ${path}: the ETag ${etag} stands for two different contents`)
          seen.add(key)
        }
        data = changeText(data, random)
      }
    }
  },
  {
    name: 'keeps accents, other scripts and every kind of value',
    async run ({ get, send, random }) {
      const data = {
        text: `Żółty № ${random.word(5)} 東京 — Ω “¿qué?” \u2028 🎬👩‍🚀 "quoted" \\ \n </script>`,
        'key with ünï.dots, and "quotes"': { 1: 'one', '': null, constructor: 'c' },
        numbers: [0, -1.5, 1e21, 2 ** 53, 0.1],
        others: [true, false, null, [], {}, [[{ deep: [{ deeper: '…' }] }]]]
      }
      await put(send, data)
      const answer = await get('/seed/v1')
      answer.expectStatus(200).expectHeader('content-type', json).expectJson({ data, url: '/seed/v1' })
    }
  },
  {
    name: 'answers 304 with ETag and Cache-Control, and no body, to a client whose copy is current',
    async run (given) {
      const { get, send, random } = given
      const path = `/seed/v1?copy=${random.word(6)}`
      for (const url of ['/seed/v1', path]) await expectNotModified(given, url, await getTag(get, url))
      await put(send, makeData(random, 2))
      for (const url of [path, '/seed/v1']) await expectNotModified(given, url, await getTag(get, url))
    }
  },
  {
    name: 'compares ETags as HTTP says: weakly, one by one, and any for *',
    async run (given) {
      const { get, random } = given
      const etag = await getTag(get, '/seed/v1')
      const other = () => `"${random.word(12)}"`
      for (const header of [
        `W/${etag}`,
        `${other()}, ${etag}`,
        `${etag},${other()}`,
        `W/${other()}, W/${etag}, ${other()}`,
        '*'
      ]) {
        await expectNotModified(given, '/seed/v1', header, etag)
      }
    }
  },
  {
    name: 'sends the content to a client with an ETag that it does not know',
    async run ({ get, random, fail }) {
      const inner = (await getTag(get, '/seed/v1')).slice(1, -1)
      for (const header of [
        `"${random.word(12)}"`,
        `W/"${random.word(8)}", "${random.word(3)}"`,
        `"${inner}0"`,
        `"0${inner}"`,
        `"${inner.slice(0, -1)}"`
      ]) {
        const answer = await get('/seed/v1', { headers: { 'if-none-match': header } })
        if (answer.status === 304) {
          fail(`GET /seed/v1 with If-None-Match: ${header}: answered 304, yet the ETag is "${inner}"`)
        }
        answer.expectStatus(200)
      }
    }
  },
  {
    name: 'sends the new content to a client whose copy is old',
    async run ({ get, send, random, fail }) {
      const path = `/seed/v1?old=${random.word(6)}`
      let data = makeData(random, 2)
      const old = []
      for (let i = 0; i < 3; i++) {
        old.push(await getTag(get, path))
        data = changeText(data, random)
        await put(send, data)
        for (const etag of old) {
          const answer = await get(path, { headers: { 'if-none-match': etag } })
          if (answer.status === 304) fail(`GET ${path}: answered 304 to the ETag ${etag} of content from before a PUT`)
          answer.expectStatus(200)
        }
      }
    }
  },
  {
    name: 'shows one of the contents that arrive together, whole',
    async run ({ get, send, random, fail }) {
      const contents = Array.from({ length: 4 }, () => makeData(random, 1))
      await Promise.all(contents.map((data) => put(send, data)))
      const answer = await get('/seed/v1')
      const shown = answer.expectStatus(200).json().data
      if (!contents.some((data) => isDeepStrictEqual(shown, data))) {
        fail('GET /seed/v1: after four PUTs at once it shows none of their contents')
      }
      await expectNotModified({ get, fail }, '/seed/v1', String(answer.headers.etag))
    }
  },
  {
    name: 'refuses content without data, and keeps what it has',
    async run ({ get, send, random, fail }) {
      const before = await get('/seed/v1')
      for (const content of [{}, { data: random.word(5) }, { data: [1] }, { data: null }, [{ data: {} }]]) {
        const answer = await send({ method: 'PUT', path: '/seed/v1', json: content })
        answer
          .expectStatus(400)
          .expectHeader('content-type', json)
          .expectShape({ code: /^InvalidContent$/, message: 'string' })
      }
      const broken = await send({
        method: 'PUT',
        path: '/seed/v1',
        headers: { 'content-type': 'application/json' },
        body: '{"data": {"a": '
      })
      broken
        .expectStatus(400)
        .expectHeader('content-type', json)
        .expectShape({ code: /^InvalidContent$/, message: 'string' })
      const after = await get('/seed/v1')
      if (!after.expectStatus(200).body.equals(before.body)) {
        fail('GET /seed/v1: the content changed with a PUT that was refused')
      }
    }
  },
  {
    name: 'answers 404 with a JSON error to any other path',
    async run ({ get, random }) {
      for (const path of ['/', `/seed/${random.word(6)}`, `/${random.word(4)}/v1?a=1`]) {
        const answer = await get(path)
        answer
          .expectStatus(404)
          .expectHeader('content-type', json)
          .expectShape({ code: /^ResourceNotFound$/, message: 'string' })
      }
    }
  },
  {
    name: 'answers 405 with Allow: GET, PUT to other methods',
    async run ({ send }) {
      for (const method of ['POST', 'DELETE']) {
        const answer = await send({ method, path: '/seed/v1', json: {} })
        answer.expectStatus(405).expectHeader('allow', /\bGET\b/).expectHeader('allow', /\bPUT\b/)
        answer.expectHeader('content-type', json).expectShape({ code: /^MethodNotAllowed$/, message: 'string' })
      }
    }
  }
]

/**
 * @param {Given['send']} send
 * @param {unknown} data
 */
async function put (send, data) {
  const answer = await send({ method: 'PUT', path: '/seed/v1', json: { data } })
  answer.expectStatus(204)
}

/**
 * @param {Given['get']} get
 * @param {string} path
 * @returns {Promise<string>} the ETag, a strong and quoted one
 */
async function getTag (get, path) {
  const answer = await get(path)
  const { etag } = answer.expectStatus(200).headers
  const wrong = wrongTag(etag)
  if (wrong) answer.fail(wrong)
  return etag
}

/**
 * @param {Pick<Given, 'get' | 'fail'>} given
 * @param {string} path
 * @param {string} header If-None-Match
 * @param {string} [etag] the current one
 */
async function expectNotModified ({ get, fail }, path, header, etag = header) {
  const answer = await get(path, { headers: { 'if-none-match': header } })
  if (answer.status !== 304) {
    fail(`GET ${path} with If-None-Match: ${header}: expected 304, the ETag is ${etag}, got ${answer.status}`)
  }
  if (answer.body.length > 0) fail(`GET ${path}: expected no body with a 304, got ${answer.body.length} bytes`)
  if (answer.headers.etag !== etag) {
    fail(`GET ${path}: expected the ETag ${etag} with a 304, got ${answer.headers.etag ?? 'none'}`)
  }
  answer.expectHeader('cache-control', cacheControl)
}
