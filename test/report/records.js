/** @import { GateResult, MechanismFigure, ResultRecord, RoundResult } from '../../runner/judge/index.js' */

/** One sample record for each verdict, and what a hostile server and folder might bring in. Figures are made up. */

/**
 * @param {Partial<GateResult>} differences
 * @returns {GateResult}
 */
export function gate (differences) {
  return {
    name: 'movies',
    kind: 'rate',
    unit: 'requests/s',
    baseline: 412.4,
    yours: 2531.7,
    ratio: 6.139,
    ratioUnit: '×',
    interval95: [5.71, 6.58],
    interval: [4.98, 7.57],
    confidence: 0.998,
    direction: 'at least',
    target: 4,
    verdict: 'pass',
    rounds: 6,
    moreSeconds: null,
    look: 'What is made again for each request although it hasn’t changed?',
    note: '',
    tiers: null,
    limit: null,
    ...differences
  }
}

const noAnswers = { requests: 0, errors: 0, non2xx: 0, mismatches: 0, problems: [] }
const noLoad = { ...noAnswers, disturbedRounds: 0, generatorBusy: null }
const nothingMeasured = { baseline: null, yours: null, ratio: null, interval95: null, interval: null, rounds: 0 }

/** @returns {GateResult} */
function conditional () {
  return gate({
    name: 'conditional',
    baseline: 398,
    yours: 6120,
    ratio: 15.38,
    interval95: [13.9, 17.1],
    target: 10,
    look: 'How much work is done before the server knows that the answer is 304?'
  })
}

/**
 * @param {string} load
 * @param {[number, number][]} figures
 * @param {Record<number, string>} [disturbed] by the round's number
 * @returns {RoundResult[]}
 */
function rounds (load, figures, disturbed = {}) {
  return figures.map(([baseline, yours], at) => ({
    load,
    number: at + 1,
    first: at % 2 === 0 ? 'baseline' : 'yours',
    baseline,
    yours,
    disturbed: disturbed[at + 1] ?? null
  }))
}

/**
 * @param {string} name
 * @param {[number, number]} both
 * @param {string} said
 * @param {Partial<MechanismFigure>} [claim]
 * @returns {MechanismFigure}
 */
function figure (name, [baseline, yours], said, claim) {
  return { name, baseline, yours, text: `${name} ${said}`, does: null, agrees: null, ...claim }
}

/** @returns {NonNullable<ResultRecord['mechanism']>} */
function confirmed () {
  return {
    expected: 'less CPU time for each request',
    seen: 'CPU time for each request fell from 2.31 ms to 0.36 ms',
    confirmed: true,
    note: '',
    figures: [
      figure('CPU time for one answer', [2.31, 0.36], '2.31 ms → 0.36 ms', { does: 'falls', agrees: true }),
      figure('serving thread busy', [0.99, 0.98], '99 % → 98 %'),
      figure('heap after the load', [12.1e6, 11.9e6], '12.1 MB → 11.9 MB')
    ]
  }
}

/** @returns {ResultRecord} */
export function passed () {
  return {
    version: 1,
    lesson: { id: 'in-memory-json', number: 3, title: 'In-memory JSON' },
    submission: 'workspace/03-in-memory-json',
    verdict: 'pass',
    reason: 'Every gate is met: movies 6.14×, conditional 15.4×.',
    contract: [
      { name: 'answers GET /movies with the whole catalogue', when: 'before', status: 'pass', message: '' },
      { name: 'shows a new movie to the very next read', when: 'before', status: 'pass', message: '' },
      { name: 'shows a new movie to the very next read', when: 'after', status: 'pass', message: '' }
    ],
    gates: [gate({}), conditional()],
    rounds: [
      ...rounds(
        'movies',
        [[402, 2410], [431, 2620], [188, 1490], [420, 2544], [399, 2519], [412, 2581]],
        { 3: 'CPU time was stolen' }
      ),
      ...rounds('conditional', [[391, 6010], [405, 6230], [398, 6120]])
    ],
    load: { ...noLoad, requests: 12_408, disturbedRounds: 1, generatorBusy: 0.42 },
    mechanism: confirmed(),
    waterfall: null,
    next: 'Compare your server with the reference: npm run solution lesson-3',
    warnings: [],
    output: [],
    machine: {
      node: 'v22.12.0',
      v8: '12.4.254.21',
      cpu: 'A processor',
      cores: 4,
      platform: 'linux x64',
      steal: 0.012,
      work: 1,
      warnings: []
    },
    seed: '7f3a91c2',
    startedAt: '2026-01-31T09:05:00.000Z',
    durationMs: 9840
  }
}

/** @returns {ResultRecord} */
export function failed () {
  return {
    ...passed(),
    verdict: 'fail',
    reason: 'The gate conditional is below its target: 1.08×, wanted at least 10×.',
    gates: [
      gate({}),
      { ...conditional(), yours: 431, ratio: 1.083, interval95: [1.021, 1.149], verdict: 'fail' },
      gateOf(['stays fast', 'degradation', '×'], [2.41, 1.04, 1.04], [0.98, 1.09], ['at most', 1.5]),
      gate({
        name: 'cores',
        ...nothingMeasured,
        target: null,
        verdict: 'dropped',
        note: 'This machine has one core, and the gain comes from several.'
      })
    ],
    mechanism: {
      expected: 'less CPU time for each request',
      seen: 'CPU time for each request stayed at 2.3 ms',
      confirmed: null,
      note: 'This is what was seen. Only a pass can confirm it.',
      figures: [figure('CPU time for one answer', [2.31, 2.3], '2.31 ms → 2.3 ms', { does: 'falls', agrees: false })]
    },
    next: 'Find the hot function: npm run profile lesson-3',
    warnings: ['server.js calls JSON.stringify in a request handler.'],
    machine: { ...passed().machine, warnings: ['The machine runs on battery: its speed may change.'] },
    durationMs: 14_120
  }
}

/** @returns {ResultRecord} */
export function broken () {
  return {
    ...passed(),
    submission: '/home/ada/my fix',
    verdict: 'fail',
    reason: 'The server does not do what every correct server must do, so its speed was not measured.',
    contract: [
      { name: 'answers GET /movies with the whole catalogue', when: 'before', status: 'pass', message: '' },
      {
        name: 'shows a new movie to the very next read',
        when: 'before',
        status: 'fail',
        message: 'GET /movies/tt0000792 answered 404 after POST /movies had answered 201.\n' +
          'Expected 200 with the movie that was sent.',
        promised: 'A new movie is shown by the very next read.',
        requests: [
          '# stop the server, and start it again on the same data',
          "curl -i -X POST -H 'Content-Type: application/json' -H 'X-Api-Key: k7' " +
            "-d '{\"title\":\"The Kid\"}' 'http://127.0.0.1:PORT/movies'",
          "curl -i 'http://127.0.0.1:PORT/movies/tt0000792'"
        ]
      }
    ],
    gates: [gate({}), conditional()].map((each) => ({ ...each, ...nothingMeasured, verdict: 'not measured' })),
    rounds: [],
    load: noLoad,
    mechanism: null,
    next: 'Ask the server yourself: npm run serve lesson-3',
    output: [
      {
        server: 'yours',
        text: 'listening on 127.0.0.1:41234\nTypeError: movies.find is not a function\n' +
          '    at /home/ada/my fix/server.js:31:24'
      }
    ],
    machine: { ...passed().machine, steal: null },
    durationMs: 1204
  }
}

/** @returns {ResultRecord} */
export function inconclusive () {
  return {
    ...passed(),
    verdict: 'inconclusive',
    reason: 'The rounds differ too much to tell whether movies reaches 4×.',
    gates: [
      gate({
        yours: 1690,
        ratio: 4.09,
        interval95: [3.62, 4.63],
        verdict: 'inconclusive',
        rounds: 12,
        moreSeconds: 31.4,
        note: 'The machine was busy with something else.'
      }),
      conditional()
    ],
    load: {
      ...passed().load,
      requests: 11_020,
      errors: 3,
      non2xx: 2,
      mismatches: 1,
      disturbedRounds: 1,
      generatorBusy: 0.913,
      problems: ['GET /movies: the answer broke off after 50 of 100 bytes.']
    },
    mechanism: {
      expected: 'less CPU time for each request',
      seen: 'unknown on this system',
      confirmed: null,
      note: 'This couldn’t be measured: CPU time for one answer.',
      figures: []
    },
    next: 'Close other programs and check again.',
    durationMs: 132_400
  }
}

/**
 * @param {[name: string, kind: GateResult['kind'], unit: string]} what
 * @param {[baseline: number | null, yours: number, ratio: number]} measured
 * @param {[number, number]} interval95
 * @param {[GateResult['direction'], number]} target
 * @param {Partial<GateResult>} [more]
 */
function gateOf ([name, kind, unit], [baseline, yours, ratio], interval95, [direction, target], more) {
  return gate({ name, kind, unit, baseline, yours, ratio, interval95, direction, target, ...more })
}

/** @returns {GateResult[]} */
function gatesOfOtherKinds () {
  const tiers = [['bronze', 2, 'pass'], ['silver', 4, 'pass'], ['gold', 8, 'fail']]
    .map(([name, target, verdict]) => /** @type {any} */ ({ name, target, verdict }))
  return [
    gate({ name: 'shop', ratio: 5.6, interval95: [4.9, 6.4], target: 2, tiers, limit: 11_200 }),
    gateOf(['refusals', 'refusal', 'ms'], [null, 12.4, 12.4], [10.1, 15.2], ['at most', 100], { ratioUnit: ' ms' }),
    gateOf(['calm', 'accepted', 'share accepted'], [1, 0.998, 0.998], [0.99, 1], ['at least', 0.95]),
    gateOf(['retained', 'retained', 'bytes/request'], [23_410, 100, 234], [201, 272], ['at least', 10]),
    gateOf(['upstream calls', 'calls', 'calls/request'], [0.34, 0.01, 0.0294], [0.0271, 0.0319], ['at most', 1.1])
  ]
}

/** Gates of every other kind, and tiers. @returns {ResultRecord} */
export function tiered () {
  return {
    ...passed(),
    waterfall: {
      baseline: ['/users/7', '/carts/12', '/prices?region=eu&products=1,2,3', '/recommendations-of-a-long-name'].map(
        (path, at) => ({ path, startMs: at * 8, endMs: at * 8 + 6.5 })
      ),
      yours: [
        { path: '/users/7', startMs: 0, endMs: 6.4 },
        { path: '/carts/12', startMs: 0.1, endMs: 7 },
        { path: '/prices', startMs: 7.2, endMs: null }
      ]
    },
    lesson: { id: 'capstone', number: 16, title: 'Capstone' },
    submission: 'workspace/16-capstone',
    reason: 'Every answer is right, and shop: 5.6×, between 4.9 and 6.4 (target at least 2×), ' +
      'which is silver; gold is at 8×.',
    gates: gatesOfOtherKinds()
  }
}

/** @returns {ResultRecord} */
export function stopped () {
  return {
    ...broken(),
    submission: 'workspace/03-in-memory-json',
    verdict: 'error',
    reason: 'The slow server fails a check that it is not known to fail: the fault is the workshop\'s, not yours.',
    contract: [],
    gates: [],
    next: 'Run npm run doctor and report what it says.',
    output: [{ server: 'baseline', text: 'Error: listen EADDRINUSE: address already in use 127.0.0.1:41234' }],
    durationMs: 380
  }
}

/** Every piece of text that others may write, hostile. */
export const hostileText =
  '\u001b[2J\u001b[31mred\u001b[0m \u009b1A\u0007bell\b\b\u001b]0;title\u0007 \u202egnp.exe\u2066 a\r\n' +
    'b\ttab \u200bzero'

/** @param {string} [text] @returns {ResultRecord} */
export function hostile (text = hostileText) {
  const record = failed()
  const requests = [`curl -i '${text}'`, `# ${text}`, text, '# '.repeat(100)]
  return {
    ...record,
    lesson: { ...record.lesson, title: text },
    submission: `/tmp/${text}; shutdown now`,
    reason: text,
    contract: [{ name: text, when: 'during', status: 'fail', message: text, requests }],
    gates: record.gates.map((each) => {
      return { ...each, name: each.name + text, look: text, note: text }
    }),
    rounds: record.rounds.map((round) => ({ ...round, load: text, disturbed: text })),
    load: { ...record.load, errors: 1, problems: [text] },
    waterfall: {
      baseline: [{ path: text, startMs: 0, endMs: 3 }],
      yours: [{ path: text, startMs: 1, endMs: null }]
    },
    mechanism: {
      expected: text,
      seen: text,
      confirmed: false,
      note: text,
      figures: [{ name: text, baseline: 1, yours: 2, text, does: null, agrees: null }]
    },
    next: text,
    warnings: [text],
    output: [{ server: text, text: `${text}\n${'x'.repeat(500)}\n${'映画'.repeat(100)}` }],
    machine: { ...record.machine, warnings: [text] },
    seed: text
  }
}

/** @type {[string, () => ResultRecord][]} */
export const samples = [
  ['pass', passed],
  ['fail', failed],
  ['broken', broken],
  ['inconclusive', inconclusive],
  ['tiers', tiered],
  ['error', stopped]
]
