import assert from 'node:assert/strict'
import test from 'node:test'
import { afterEvent, differencesOf, noProgress } from '../../runner/report/index.js'
import { chartsHtml, linearTicks, waterfallHtml } from '../../runner/web/pages/charts.js'
import { differingPart, failuresHtml, gatesHtml, metersHtml } from '../../runner/web/pages/live.js'
import { highlightLines, linesHtml, markPart, rowsOf } from '../../runner/web/pages/code-lines.js'
import { diffPage, sideBySide } from '../../runner/web/pages/diff-page.js'
import { homePage } from '../../runner/web/pages/home-page.js'
import { otherSectionsHtml, stepsHtml } from '../../runner/web/pages/lesson-page.js'
import { profilePage } from '../../runner/web/pages/profile-page.js'
import { liveHtml, previewHtml, resultHtml } from '../../runner/web/pages/result-html.js'
import { chipHtml } from '../../runner/web/pages/workshop-frame.js'
import { headline, inBrowser, verdictCard } from '../../runner/web/pages/verdict-card.js'
import { seenIn } from '../../runner/web/prediction-feedback.js'
import { broken, failed, gate, inconclusive, passed, tiered } from '../report/records.js'

/** @import { LatencyResult, ResultRecord } from '../../runner/judge/index.js' */

const evil = '"\'><script>alert(1)</script>'
/** @type {import('../../runner/web/pages/profile-page.js').ProfileData} */
const profile = {
  slug: 'mini',
  number: 1,
  title: evil,
  kind: 'server',
  server: 'mine',
  tool: 'cpu',
  tabs: [
    { server: 'mine', tool: 'cpu', madeAt: '2026-01-31T09:05:00.000Z' }, { server: 'mine', tool: 'trace', madeAt: null }
  ],
  cpu: {
    version: 2,
    sentences: [evil],
    functions: [{
      name: evil,
      place: `${evil}:2`,
      file: evil,
      line: 2,
      owner: 'yours',
      thread: evil,
      self: 0.1,
      total: 0.2,
      charged: 0.2
    }],
    slow: null,
    sections: [{ title: evil, text: [evil], columns: ['function', 'where'], rows: [[evil, `${evil}:2`]] }]
  },
  file: 'server.js',
  hasLoop: true,
  sources: [{ name: evil, shown: evil, text: evil, editorUrl: `vscode://file/${evil}`, isNewer: true }],
  prediction: [{ question: evil, answer: evil }],
  seen: { time: null, growth: [evil], server: evil }
}
/** @type {import('../../runner/web/pages/home-page.js').State} */
const state = {
  lessons: [{
    slug: 'mini',
    number: 1,
    title: evil,
    summary: evil,
    part: evil,
    state: 'pass',
    word: 'passed',
    ratio: 6.1,
    share: 0.9,
    tier: 'silver',
    attempts: 2,
    when: '2026-01-31T09:05:00Z',
    touched: null,
    minutes: 30,
    difficulty: 'easy'
  }],
  next: null,
  job: null,
  classroom: {
    seat: { name: evil, nickname: evil, board: true, url: evil, code: evil },
    room: {
      messages: [{ text: evil, sentAt: '2026-01-31T09:05:00.000Z' }],
      current: { lesson: 'mini', until: '2026-01-31T09:05:00Z', minutes: 40, minutesLeft: 25 },
      timer: { text: evil, until: '2026-01-31T09:05:00Z', minutes: 40, minutesLeft: 25 },
      isHandUp: true,
      prediction: { lesson: 'mini', gate: evil, ratio: null, isOpen: true },
      lessons: [{ id: 'mini', number: 1, isLocked: true, isRevealed: true }]
    },
    problem: evil,
    isGone: false,
    sent: evil
  },
  machine: {
    node: '20.20.2',
    cpu: evil,
    cores: 2,
    platform: 'linux',
    fitness: { isBusy: false, cores: 2, pace: 1, message: evil, findings: [{ state: 'doubt', what: evil, fix: evil }] }
  },
  example: { lesson: evil, gate: evil, slow: `8 ${evil}`, solution: `1 ${evil}`, ratio: 8, where: evil },
  notes: [evil]
}

const target = { name: 'movies', direction: /** @type {const} */ ('at least'), target: 4, unit: '×' }
const { classroom } = state
const figures = { count: 500, p50: 1.2, p75: 1.5, p90: 2, p95: 2.5, p99: 8.13, p999: null, max: 9.7 }
/** @type {LatencyResult} */
const latency = { load: 'list', of: 'answers', baseline: { ...figures, count: 1200, p999: 9.5 }, yours: figures }

/** What a reader sees. @param {import('../../runner/report/index.js').Html} html */
const plain = (html) => String(html).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

test('nothing that comes from files or machines breaks out of a page', async () => {
  const gates = [gate({ name: evil, note: evil, unit: evil, look: evil, verdict: 'fail' })]
  /** @type {ResultRecord['contract']} */
  const contract = [{ name: evil, when: 'before', status: 'fail', message: evil, promised: evil, requests: [evil] }]
  /** @type {ResultRecord['rounds']} */
  const rounds = [{ load: evil, number: 1, first: 'yours', baseline: 1, yours: 2, unit: evil, disturbed: evil }]
  const record = { ...passed(), gates, contract, rounds, reason: evil, next: evil, warnings: [evil] }
  const { kind } = profile
  const { cpu } = profile
  const seen = seenIn([{ question: evil, answer: evil }], [{ server: 'mine', cpu, trace: null }])
  const compared = { slug: 'mini', number: 1, title: evil, kind, refusal: null, text: evil, last: null }
  const pages = [
    homePage({ token: evil, ...state }),
    homePage({ token: '', ...state, classroom: { seat: null, room: null, problem: evil, isGone: false, sent: evil } }),
    profilePage({ token: evil, classroom, job: null, ...profile }),
    profilePage({ token: '', classroom, job: null, ...profile, seen }),
    resultHtml(record),
    previewHtml(record),
    liveHtml({ ...noProgress, text: evil, failed: contract, gates }, 'mini'),
    metersHtml([{ ...target, name: evil, target: 2 }], gates, false),
    chartsHtml({ rounds, gates, latencies: [{ ...latency, load: evil }] }),
    ...await Promise.all([{ 'b.js': { text: evil } }, { 'a.js': { text: `${evil} // ${evil}` } }].map(async (other) =>
      diffPage({
        token: '',
        classroom,
        ...compared,
        with: 'slow',
        hasCopy: true,
        differences: await differencesOf(new Map(Object.entries(other)), new Map([['a.js', { text: evil }]]), 4)
      })))
  ]
  for (const page of pages.map(String)) {
    assert.ok(page.includes('&#60;script&#62;'))
    assert.ok(!page.includes(evil) && !page.includes('<script>'))
  }
})

test('who has not predicted anything is asked to, and can look all the same', () => {
  const page = profilePage({ token: '', classroom, job: null, ...profile, prediction: null, seen: null })
  assert.match(page, /First <a href="\/lessons\/mini#predict">write down what you expect<\/a>/)
  assert.match(page, /data-part="figures"[^]*<table>/)
  assert.doesNotMatch(profilePage({ token: '', classroom, job: null, ...profile }), /write down what you expect/)
})

test('home tells how far the learner is, and what comes now', () => {
  const [lesson] = state.lessons
  const begun = { ...lesson, slug: 'two', number: 2, title: 'Two' }
  assert.match(homePage({ token: '', ...state }), /All lessons passed/)
  const lessons = [lesson, { ...begun, state: /** @type {const} */ ('fail'), word: 'not yet' }]
  const page = homePage({ token: '', ...state, lessons, next: 'two' })
  assert.match(page, /1 of 2 lessons passed/)
  assert.match(page, /Continue: lesson 2, Two/)
  assert.match(page, /best <\/span>6\.10×[^]*silver<\/li><li>easy<\/li><li>30 min of work<\/li><li>90 % of the ref/)
})

test('a target that wasn’t reached in time says so', () => {
  const open = gate({ verdict: 'inconclusive', target: 4 })
  assert.match(plain(resultHtml({ ...passed(), gates: [{ ...open, target: 6 }] })), /too close to call/)
  assert.match(plain(resultHtml({ ...passed(), gates: [open] })), /probably good enough/)
  assert.match(plain(resultHtml({ ...inconclusive(), gates: [open] })), /^ \? Probably good enough\./)
  const once = { ...open, interval95: null, interval: null }
  const few = plain(resultHtml({ ...inconclusive(), gates: [once] }))
  assert.match(few, /^ \? Too few rounds so far\..* ≥ 4× \? too few rounds so far/)
  assert.doesNotMatch(few, /too close to call/i)
  const never = gate({ verdict: 'not measured', ratio: null, note: '' })
  assert.match(plain(resultHtml({ ...failed(), gates: [never] })), /not measured .*The check ended before this was/)
})

test('latencies are tables, those of the first gate first; so are rounds', () => {
  const rounds = passed().rounds.filter(({ load }) => load === 'movies')
  /** @type {LatencyResult} */
  const probes = { ...latency, of: 'probes' }
  const measured = { rounds, gates: [gate({})], latencies: [probes, latency] }
  assert.match(plain(chartsHtml(measured)),
    /^ ?list , latency of its answers, ms .*p90 2\.00 2\.00 .*All measurements list , latency of the probe’s/)
  const first = { ...measured, gates: [gate({ kind: 'latency' })] }
  assert.match(plain(chartsHtml(first)), /^ ?list , latency of the probe’s .*All measurements list , latency of its/)
  const text = plain(chartsHtml(measured))
  assert.match(text, /movies, requests\/s 3 188 1,490 7\.93× CPU time was stolen/)
  assert.match(text, /p99 8\.13 8\.13 p99\.9 9\.50 – largest 9\.70 9\.70 answers 1,200 500 – means that there/)
  assert.doesNotMatch(String(chartsHtml({ rounds: [], gates: [], latencies: [] })), /details/)
})

test('a request’s upstream calls are bars on one scale, with their table', () => {
  const { waterfall } = tiered()
  const shown = waterfallHtml({ waterfall }) || assert.fail()
  assert.match(String(shown), /class="slow"[^]*class="yours hollow"/)
  assert.match(String(shown), /recommendations-of…</)
  assert.match(plain(shown), /carts\/12 slow 8\.0 15 [^]*\/prices yours 7\.2 –/)
  for (const page of [resultHtml(tiered()), previewHtml(tiered())]) assert.match(String(page), /Waterfall[^]*<table>/)
  assert.doesNotMatch(`${resultHtml(passed())}${previewHtml(passed())}`, /Waterfall/)
})

test('the header says whether this machine is fit, as far as it is known', () => {
  const fitness = { isBusy: false, findings: [], message: '', cores: 2, pace: 1 }
  const said = (/** @type {any} */ news) => plain(chipHtml({ ...fitness, ...news })).trim()
  assert.equal(said({}), 'This machine: 2 cores')
  assert.equal(said({ cores: 1 }), 'This machine: ! 1 core')
  assert.equal(said({ pace: 2 }), 'This machine: ! 2 cores, slow machine')
  const [good, doubt, bad] = ['good', 'doubt', 'bad'].map((state) => ({ state, what: '' }))
  assert.equal(said({ message: 'x', findings: [good] }), 'This machine: ✓ fit to measure')
  assert.equal(said({ message: 'x', findings: [good, doubt] }), 'This machine: ! fit to measure, with doubts')
  assert.equal(said({ message: 'x', findings: [bad] }), 'This machine: ✗ can’t measure')
})

test('the steps are those that a text numbers: begun, or ticked where they are done', () => {
  const titles = ['What a correct server does', '1. Establish a baseline', '2. Predict', '5. Verify', 'Next']
  const sections = titles.map((title) => ({ id: title, title, commands: [] }))
  const page = `${stepsHtml(sections, ['done', '', '', '', 'begun'])}${otherSectionsHtml(sections)}`
  assert.match(page,
    /class="done"><a href="#1\. Est[^]*Baseline<span class="hidden">, done[^]*Predict<[^]*class="begun"[^]*Verify<span/)
  assert.equal(page.match(/class="done"/g)?.length, 1)
  assert.match(page, /In this lesson[^]*What a correct server does[^]*Next/)
})

test('an axis has round figures, and few of them', () => {
  assert.deepEqual(linearTicks(2570), [0, 1000, 2000])
  assert.deepEqual(linearTicks(0), [0])
})

test('a result names the seed that repeats it, for a report', () => {
  assert.match(plain(resultHtml({ ...failed(), seed: 'b0b' })), /Details \([^]* Seed b0b\b/)
})

test('what was seen inside is in a table, with what was expected of it', () => {
  const text = plain(resultHtml(passed()))
  assert.match(text, /Measured after the rounds/)
  assert.match(text, /CPU time for one answer 2\.31 ms 0\.36 ms should fall ✓ serving thread busy 99 % 98 % heap after/)
  const record = passed()
  assert.ok(record.mechanism)
  record.mechanism.figures = [{ name: 'parse', baseline: 0.4, yours: 0.41, text: '', does: 'falls', agrees: false }]
  assert.match(plain(resultHtml(record)), /parse: of the main thread’s time 40 % 41 % should fall ✗ didn’t/)
})

test('once there’s a verdict, its card is there, and says what’s measured still', () => {
  const quick = afterEvent(noProgress, { type: 'phase', phase: 'rounds', text: '' })
  assert.match(plain(liveHtml(quick, 'mini')), /· Answers ▸ Speed · Answers again · Why/)
  const answers = afterEvent(noProgress, { type: 'phase', phase: 'contract', text: '' })
  const before = afterEvent(answers, { type: 'phase', phase: 'rounds', text: '' })
  assert.match(plain(liveHtml(before, 'mini')), /✓ Answers ▸ Speed · Answers again · Why/)
  const settled = afterEvent(before, { type: 'verdict', record: passed() })
  const looking = afterEvent(settled, { type: 'phase', phase: 'inside', text: 'Looking inside both servers' })
  assert.match(plain(liveHtml(looking, 'mini')), /✓ Passed .*looks inside both servers, which explains the verdict/)
})

test('a meter is full up to what’s certain, and pale up to what’s possible', () => {
  const meter = (/** @type {any} */ gate, isRunning = false) =>
    String(metersHtml([target], gate ? [gate] : [], isRunning))
  assert.match(meter(null), /class="meter "[^]*≥ 4×[^]*class="sure" width="0"/)
  const open = gate({ verdict: 'inconclusive', ratio: 4, interval: [1, 4] })
  assert.match(meter(open), /class="meter inconclusive"[^]*width="10"[^]*x="10" width="50\.0"[^]*\?<\/span> 4\.00×/)
  assert.match(meter(open, true), /class="meter open"[^]*measuring/)
  assert.match(meter(gate({}), true), /class="meter pass"/, 'what’s decided stays decided')
})

test('a table has the figures of each target, and where it’s open, the interval that decides', () => {
  const given = { ratio: 4.3, interval95: [3.2, 5.7], interval: [1.99, 9.29], target: 2.5 }
  const open = gate(/** @type {any} */ ({ ...given, verdict: 'inconclusive' }))
  const text = plain(/** @type {any} */ (gatesHtml([open])))
  assert.match(text, /4\.30× 3\.2 to 5\.7 ≥ 2\.5× \? probably good enough .*interval that decides is 2\.0 to 9\.3\./)
  assert.doesNotMatch(plain(resultHtml(passed())), /that decides/)
})

test('code has numbers, the heat of a profile and the line of an error; places of tables lead there', () => {
  const source = { name: 'server.js', text: "const a = 1\nserver.on('after', () => {})\n" }
  const cpu = { ...profile.cpu, functions: [{ ...profile.cpu?.functions[0], file: 'server.js' }] }
  const [first, second] = linesHtml(source, { main: 'server.js', cpu: /** @type {any} */ (cpu), wrong: 1 }).map(String)
  assert.match(first, /class="line wrong" id="L1"/)
  assert.match(second, /class="line hot-5 hottest" id="L2">.*10\.0.*20\.0.*data-line="2"/s)
  const rowOf = rowsOf([source], (id) => `#${id}`, 'server.js')
  const cells = rowOf(['(no name)', 'server.js:2', '▁▄█▁', 'other.js:1']).map(String)
  assert.deepEqual([cells[0], cells[1], cells[3]], ['(no name)', '<a href="#L2">server.js:2</a>', 'other.js:1'])
  assert.match(cells[2], /<polyline/)
})

test('a verdict in one line, with figures before ratios', () => {
  assert.equal(headline(passed()), '6.14× faster. Passed.')
  assert.match(plain(resultHtml(passed())), /✓ Passed movies slow 412 requests\/s yours 2,530 requests\/s 6\.14×/)
  assert.equal(headline(failed()), 'Not yet: conditional is at 1.08×, and the target is ≥ 10×.')
  const unsaid = { ...failed(), reason: 'The slow server failed.' }
  const card = verdictCard({ ...unsaid, verdict: 'error' }, { onward: '', frame: null })
  assert.match(String(card), /couldn’t be checked.*The slow server failed/s)
  assert.equal(headline(broken()), 'Not yet: 1 of 2 checks of its answers fails.')
  assert.equal(headline(inconclusive()), 'Too close to call: 1 of 2 targets met.')
  assert.equal(headline(tiered()), '5.60× faster. Passed: silver.')
  assert.match(plain(resultHtml(passed())), /Read the solution|Compare your server/)
  assert.match(String(resultHtml(failed(), { isStale: true })),
    /^<details class="stale"><summary>Last check, of an earlier version \(<time [^<]*<\/time>\): ✗ not yet</)
})

test('checks that fail for the same reason are grouped, with what differs marked', () => {
  const [check] = broken().contract
  /** @type {ResultRecord['contract']} */
  const wrong = ['POST /login', 'POST /token'].map((what, at) => {
    const message = `${what}: expected status 401, got 403`
    return { ...check, name: `check ${at}`, status: 'fail', message, promised: 'It answers 401.' }
  })
  const text = String(failuresHtml([...wrong, { ...wrong[0], message: 'expected [1,2,3], got [1,5,3]' }]))
  assert.equal(text.match(/<mark>403<\/mark>/g)?.length, 1)
  assert.match(text, /1 more check fails for the same reason:\s*check 1\./)
  assert.match(text, /\[1,<mark>2<\/mark>,3\]/)
  assert.match(text, /href="#:~:text=It%20answers%20401\."/)
})

test('a reason in brackets is shown instead of the two answers before it', () => {
  const message = 'yours differs in the body: expected {"points":85989}, got {"points":73929} ' +
    '(the prices are not right: expected [340603], got [10278])'
  const text = String(failuresHtml([{ ...broken().contract[0], status: 'fail', message }]))
  assert.match(text, /<p>the prices are not right<\/p>/)
  assert.match(text, /<dd><code>\[<mark>340603<\/mark>\]<\/code><\/dd>/)
  assert.doesNotMatch(text, /85989/)
})

test('the way on is the browser’s own', () => {
  const links = (/** @type {string} */ text, canGoOn = true) =>
    String(inBrowser(text, { id: 'mini', number: 1 }, canGoOn))
  assert.match(links('Read solutions/01-mini/README.md and compare'), /diff\?with=solution">the solution<\/a> and/)
  assert.match(links('Close what runs, which npm run doctor shows, then go on with the rounds you have: ' +
    'npm run check lesson-1 -- --more'), /href="\/#machine".* then measure longer$/)
  assert.match(links('Now go on with the rounds you have: npm run check lesson-1 -- --more', false), /check again$/)
  assert.match(links('See its whole output: npm run serve lesson-1 mine'),
    /^See its whole output: <code>npm run serve lesson-1 mine<\/code> <button [^>]*POST \/api\/served[^>]*>Run</)
  assert.match(links('See npm run profile lesson-2 slow'), /<code>npm run profile lesson-2 slow<\/code>$/)
})

test('what differs in a changed line is marked, in whole words, inside of what is highlighted', () => {
  const [before, after] = ["app.post('/login', (req) => {", "app.post('/login', async (req) => {"]
  const { start, ends } = differingPart(before, after)
  assert.deepEqual([before.slice(start, ends[0]), after.slice(start, ends[1])], ['', 'async '])
  assert.match(String(markPart(highlightLines(after, 'a.js')[0], start, ends[1])),
    /<span class="string">[^<]*<\/span>, <span class="keyword"><mark>async<\/mark><\/span><mark> <\/mark>\(req/)
  assert.equal(String(markPart(highlightLines('a < b', 'a.txt')[0], 2, 3)), 'a <mark>&#60;</mark> b')
})

test('lines that went and lines that came stand side by side', () => {
  const rows = sideBySide({
    oldStart: 3,
    oldLines: 3,
    newStart: 3,
    newLines: 4,
    lines: [' a', '-b', '+c', '+d', ' e', '\\ No newline at end of file']
  })
  assert.deepEqual(rows.map((pair) => pair.map((line) => line && `${line.number}${line.sign}`)), [
    ['3 ', '3 '], ['4-', '4+'], [null, '5+'], ['5 ', '6 ']
  ])
})
