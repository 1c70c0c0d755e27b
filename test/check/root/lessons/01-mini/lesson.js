/** @import { Lesson } from '../../../../../runner/lesson/index.js' */

/**
 * A lesson for the tests of the engine: small, quick, and with a difference that no noise can hide.
 *
 * @type {Lesson}
 */
export default {
  id: 'mini',
  title: 'Mini',
  summary: 'Add one.',
  data: ({ random }) => {
    const secret = random.word(12)
    return { files: { 'secret.txt': secret }, data: { secret } }
  },
  contract: [
    {
      name: 'adds one',
      run: async ({ get, random }) => {
        const n = random.int(1, 1e6)
        const answer = await get(`/${n}`)
        answer.expectStatus(200).expectType('application/json').expectShape({ next: 'number', secret: 'string' })
        if (answer.json().next !== n + 1) answer.fail(`expected ${n + 1}, got ${answer.json().next}`)
      }
    },
    {
      name: 'knows the secret of this run',
      run: async ({ get, data }) => { (await get('/1')).expectJson({ next: 2, secret: data.secret }) }
    },
    {
      name: 'answers 404 to what is no number',
      when: ['before'],
      run: async ({ get }) => { (await get('/x')).expectStatus(404) }
    }
  ],
  loads: {
    add: {
      stream: ({ random, data }) => () => {
        const n = random.int(1, 1e6)
        return {
          path: `/${n}`,
          check: (answer) => {
            if (answer.status !== 200) return `expected status 200, got ${answer.status}.`
            const { next, secret } = answer.json()
            return next === n + 1 && secret === data.secret ? undefined : `expected ${n + 1}, got ${next}.`
          }
        }
      },
      connections: 4,
      sliceMs: 60,
      sliceAnswers: 6,
      warmUpMs: 30
    }
  },
  gates: [{ name: 'additions', kind: 'rate', load: 'add', target: 3, look: 'What does the server do before it adds?' }],
  mechanism: { expected: 'CPU time for an addition falls', load: 'add', cpuPerRequest: 'falls' }
}
