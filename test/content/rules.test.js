import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { writeLesson } from '../../runner/workspace/write-lesson.js'
import { runCommand, runNode } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'
import { findingsOf } from './check-code.js'
import { findStrays } from './find-all.js'
import { readLesson } from './read-lesson.js'
import { rules } from './rules.js'

/** @import { Content } from './read-lesson.js' */

const main = path.join(workshopRoot, 'test', 'content', 'main.js')
const [template] = await findLessons({ root: path.join(workshopRoot, 'template') })
const whole = await readLesson(await loadLesson(template))
const text = 'lessons/00-my-topic/README.md'
const hints = 'lessons/00-my-topic/hints.md'
const lesson = 'lessons/00-my-topic/lesson.js'
const writeUp = 'solutions/00-my-topic/README.md'
const submissions = 'test/submissions/00-my-topic'

/** @param {Content} content @returns {string[]} */
const told = (content) => rules.flatMap(({ find }) => find(content)).map(({ place, what }) => `${place}: ${what}`)

/** @param {string} place @param {(text: string) => string} change @returns {Content} the template, with one change */
function changed (place, change) {
  return { ...whole, files: new Map(whole.files).set(place, change(whole.files.get(place) ?? '')) }
}

/** @param {Record<string, string>} promised @returns {Content} the template, with words for some rules */
function promising (promised) {
  return { ...whole, entry: { ...whole.entry, lesson: { ...whole.entry.lesson, promised } } }
}

/** @param {string} place @param {string} more @returns {Content} */
const longer = (place, more) => changed(place, (old) => `${old}\n${more}\n`)

test('the template for a new lesson lacks nothing', () => {
  assert.equal(whole.files.size, 5)
  assert.deepEqual(told(whole), [])
})

for (const [content, ...expected] of /** @type {[Content, ...string[]][]} */ ([
  [
    { ...whole, files: new Map([...whole.files].filter(([place]) => place !== writeUp)) },
    `${writeUp}: is missing.`
  ],
  [
    changed('slow-servers/00-my-topic/server.js', () => '// later'),
    'slow-servers/00-my-topic/server.js: is nearly empty: write it.'
  ],
  [
    longer(hints, '## 4\n\nAnd so on.'),
    `${hints}: has 4 hints: give it three, under the headings ## 1, ## 2 and ## 3.`
  ],
  [
    changed(writeUp, (old) => old.replace('<!-- /measured -->', '')),
    `${writeUp}: has no place for measured figures: give it the lines <!-- measured --> and <!-- /measured -->.`
  ],
  [
    promising({ 'sends one item': '200, one thing as JSON' }),
    `${text}: does not say “200, one thing as JSON”, which lesson.js promises.`
  ],
  [
    promising({ 'sends one item': 'GET /items/:sku | 200' }),
    'lessons/00-my-topic/promises.json: is out of date: `npm run check:content -- --promises` writes it again.'
  ],
  [
    promising({ 'sends two items': '200, one item as JSON' }),
    `${lesson}: promises “sends two items”, which no operation and no check demands: take it out.`
  ],
  [
    changed(text, (old) => old.replace(/; 404 .+not_found"}`/, '')),
    `${lesson}: demands “answers 404 for an item that is not there”, and no words of the text are found for it: ` +
      'name them in `promised`.'
  ],
  [
    { ...whole, submissions: { right: new Map(), wrong: [], strangers: ['new.js'], problems: [] } },
    `${submissions}/new.js: is neither valid-…, base, right, right.js, wrong nor wrong.js.`,
    `${submissions}: has too few right fixes (folders valid-…, or in right.js): 0, and at least 1 are wanted.`,
    `${submissions}: has too few wrong ones (in wrong.js): 0, and at least 1 are wanted.`
  ],
  [
    {
      ...whole,
      submissions: {
        right: new Map([['valid-x', new Map([['app.js', '']])]]),
        wrong: [{ name: 'y', files: ['app.js'] }],
        strangers: [],
        problems: []
      }
    },
    `${submissions}/valid-x: has no server.js.`,
    `${submissions}/wrong.js: makes no server.js of “y”.`
  ],
  [
    { ...whole, submissions: { ...whole.submissions, wrong: [], problems: ['this text is not there', 'nor is this'] } },
    `${submissions}: cannot be read: this text is not there`,
    `${submissions}: cannot be read: nor is this`
  ],
  [
    { ...whole, isShipped: true },
    `${submissions}: has too few right fixes (folders valid-…, or in right.js): 1, and at least 5 are wanted.`,
    `${submissions}: has too few wrong ones (in wrong.js): 1, and at least 6 are wanted.`,
    `${submissions}: has no honest fix in CommonJS: they must be of different kinds.`,
    `${submissions}: has no honest fix of several files: they must be of different kinds.`
  ],
  [longer(text, 'The target is 3×.'), `${text}: repeats the target of items: it belongs only in lesson.js.`],
  [
    longer(hints, '    const bySku = new Map(items.map((item) => [item.sku, item]))'),
    `${hints}: holds a line of the solution: const bySku = new Map(items.map((item) => [item.sku, item]))`
  ],
  [
    longer(hints, '```js\na()\nb()\nc()\nd()\n```'),
    `${hints}: shows a whole block of code: lead there with a question.`
  ],
  [longer(text, '[more](lost.md#top)'), `${text}: links to lost.md#top, which is not there.`],
  [longer(text, '`npm run fly`'), `${text}: names \`npm run fly\`, which no package.json has.`],
  [
    longer(text, '`npm run check lesson-3`'),
    `${text}: names \`npm run check lesson-3\`, another lesson: this one is lesson-0.`
  ],
  [
    longer(text, '```js\nfunction (\n```'),
    `${text}: shows code that does not parse (Parsing error: Unexpected token (): function (`
  ],
  [longer(text, 'That is trivial.'), `${text}: says “trivial”, which tells the reader that it should be easy.`],
  [
    longer(text, 'See the article of 2019.'),
    `${text}: names the year of an article, which means nothing to the reader.`
  ]
])) {
  test(`told: ${expected[0]}`, () => assert.deepEqual(told(content), expected))
}

test('twins and strays are told by name', () => {
  const others = { solutions: ['01-one', '02-two', '03-lost'], 'slow-servers': [] }
  const findings = findStrays(['01-one', '01-two', '02-two'], others).map(({ place, what }) => `${place}: ${what}`)
  assert.deepEqual(findings, [
    'lessons/01-two: has the number of 01-one: rename it.',
    'lessons/02-two: has the name of 01-two: rename it.',
    'solutions/03-lost: belongs to no lesson: name it like one, or move it.'
  ])
})

test('check:content says of a pack what its texts lack and what lint and types find, one line each', async (t) => {
  const root = await makePack(t)
  const at = (/** @type {string} */ name) => path.join(root, ...name.split('/'))
  fs.writeFileSync(at('lessons/01-cold-start/more.js'), '/** @type {number} */\nexport const text = \'one\';\n')
  fs.rmSync(at('solutions/01-cold-start/README.md'))
  fs.mkdirSync(at('lessons/02-broken'))
  fs.writeFileSync(at('lessons/02-broken/lesson.js'), 'export default { id: 1 }\n')
  const { code, stdout, stderr } = await runNode([main, '--lessons', root])
  assert.deepEqual({ code, stderr }, { code: 1, stderr: '' })
  const [missing, ...lines] = stdout.split('\n')
  assert.equal(missing, 'solutions/01-cold-start/README.md: is missing.')
  assert.ok(lines.includes('lessons/02-broken/lesson.js: id: must be a line of text, got 1'), stdout)
  assert.deepEqual(lines.slice(-5), [
    'lessons/01-cold-start/more.js:2: Extra semicolon.',
    'lessons/01-cold-start/more.js:2: Type \'string\' is not assignable to type \'number\'.',
    '',
    `2 lessons, ${lines.length - 2} to fix.`,
    ''
  ])
})

test('errors of the workshop\'s own files are not the pack\'s', () => {
  const ours = '../make-it-fast/runner/rules.js(1,2): error TS1: Ours.'
  const output = [ours, 'lessons/a.js(3,4): error TS2: Theirs.', '  more'].join('\n')
  assert.deepEqual(findingsOf(output), [{ place: 'lessons/a.js:3', what: 'Theirs.' }])
})

test('check:content has nothing to say about the workshop\'s own lessons', async () => {
  const { code, stdout, stderr } = await check([])
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.match(stdout, /(^|\n\n)16 lessons, nothing missing\.\n$/)
})

test('check:content --promises shows each rule, and whether its words were found', async (t) => {
  const root = await makePack(t)
  const file = path.join(root, 'lessons', '01-cold-start', 'lesson.js')
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('  routes: {', `
    contract: [{ name: 'is kind to cats', run () {} }, { name: 'is fast', run () {} }],
    promised: { 'is fast': '200, one item as JSON' },
    routes: {`))
  const { code, stdout, stderr } = await check(['--promises', '1', '--lessons', root])
  assert.deepEqual([code, stderr], [1, ''])
  assert.deepEqual(stdout.split('\n'), [
    '01-cold-start',
    '  sends one item',
    '    found: 200, one item as JSON',
    '  answers 404 for an item that is not there',
    '    found: 404 {"error":"not_found"}',
    '  is kind to cats',
    '    nothing found',
    '  is fast',
    '    promised: 200, one item as JSON',
    ''
  ])
  assert.deepEqual(JSON.parse(fs.readFileSync(file.replace('lesson.js', 'promises.json'), 'utf8')), {
    'sends one item': '200, one item as JSON',
    'answers 404 for an item that is not there': '404 {"error":"not_found"}',
    'is fast': '200, one item as JSON'
  })
})

test('what check:content can\'t do is one sentence, and 3', async (t) => {
  const env = { ...process.env, npm_lifecycle_event: 'check:content', npm_config_lessons: 'true' }
  for (const [args, told, given] of /** @type {[string[], RegExp, NodeJS.ProcessEnv?][]} */ ([
    [['17'], /^check:content looks at all lessons: leave out "17", or say --promises 17\.\n$/],
    [['ours'], /^npm kept --lessons to itself: .+`npm run check:content -- --lessons ours`\.\n$/, env],
    [
      ['--lessons', temporaryFolder(t)],
      /^The folder .+lessons cannot be read \(ENOENT\): --lessons or MAKE_IT_FAST_LESSONS names .+\n$/
    ]
  ])) {
    const { code, stdout, stderr } = await check(args, given)
    assert.deepEqual({ code, stdout }, { code: 3, stdout: '' })
    assert.match(stderr, told)
  }
})

/** @param {import('node:test').TestContext} t @returns {Promise<string>} a pack with one new lesson */
async function makePack (t) {
  const root = path.join(temporaryFolder(t), 'ours')
  await writeLesson({ number: 1, id: 'cold-start', folder: '01-cold-start', title: 'Cold start' }, root)
  return root
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function check (args, env) {
  const commands = { 'check-content': () => import('./check-content.js') }
  return runCommand(['check-content', ...args], { env, commands })
}
