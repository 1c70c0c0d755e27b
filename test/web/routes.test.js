import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { resolveLesson } from '../../runner/lesson/index.js'
import { saveResult } from '../../runner/workspace/index.js'
import { makeRepository } from '../lesson/fixture.js'
import { passed } from '../report/records.js'
import { openWeb, send } from './open.js'

test('the pages', async (t) => {
  const { ask } = await openWeb(t)
  for (const [place, text] of Object.entries({
    '/': /Mini/,
    '/lessons/mini': /Mini/,
    '/lessons/mini/diff': /no copy yet/,
    '/lessons/mini/profile': /Mini/,
    '/docs/glossary': /aria-label="Terms by letter".*<a href="#warm-up">W<.*<h2 id="event-loop">/s,
    '/docs/your-own-service': /href="\/docs\/which-tool"/,
    '/docs/gallery': /<img src="\/docs\/files\/gallery\/1\.svg"/,
    '/docs/cheat-sheet': /<h1>Cheat sheet</,
    '/docs/which-tool': /href="\/docs\/glossary"/
  })) {
    const { status, headers, text: html } = await ask('GET', place)
    assert.equal(status, 200, place)
    assert.match(html, text, place)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['set-cookie'], undefined)
  }
  assert.match((await ask('GET', '/')).text, /href="\/docs\/which-tool"[^]*href="\/docs\/glossary"/)
  assert.match(String((await ask('GET', '/docs/files/gallery/1.svg')).headers['content-type']), /^image\/svg/)
  assert.equal((await ask('GET', '/docs/files/glossary.md')).status, 404)
  for (const name of ['verdicts', 'glossary.md', '..%2Fpackage', 'constructor', 'Glossary']) {
    assert.equal((await ask('GET', `/docs/${name}`)).status, 404, name)
  }
  for (const name of ['lesson-1', '01-mini', '1']) {
    const { status, headers } = await ask('GET', `/lessons/${name}`)
    assert.deepEqual({ status, location: headers.location }, { status: 302, location: '/lessons/mini' })
  }
})

test('the state, and a lesson', async (t) => {
  const { ask } = await openWeb(t)
  const { lessons, next, job, machine } = (await ask('GET', '/api/state')).json()
  assert.equal(lessons.length, 1)
  const { slug, number, title, state, ratio, attempts } = lessons[0]
  assert.deepEqual({ slug, number, title, state, ratio, attempts },
    { slug: 'mini', number: 1, title: 'Mini', state: 'not started', ratio: null, attempts: 0 })
  assert.deepEqual({ next, job, node: machine.node }, { next: 'mini', job: null, node: process.version })

  const lesson = (await ask('GET', '/api/lessons/mini')).json()
  assert.deepEqual(lesson.targets, [{ name: 'additions', direction: 'at least', target: 3, unit: '×' }])
  assert.deepEqual(lesson.hints, { shown: 0, total: 3 })
  assert.equal(lesson.file.editorUrl, null)
  assert.deepEqual([lesson.prediction, lesson.passed, lesson.last, lesson.best], [null, false, null, null])
})

test('a copy’s path and files are offered once it exists, and a first pass says what was learnt', async (t) => {
  const { ask, env } = await openWeb(t, process.cwd())
  const page = async () => (await ask('GET', '/lessons/waterfall')).text
  const before = await page()
  assert.match(before, /This is what your copy will begin as/)
  assert.doesNotMatch(before, /Copy path|You can now/)
  await ask('POST', '/api/lessons/waterfall/open')
  assert.match(await page(), /Copy path<.*<summary><code>[\w./-]+<\/code><\/summary>/s)
  const entry = await resolveLesson('waterfall', { env })
  const record = { ...passed(), startedAt: new Date().toISOString() }
  await saveResult(entry, record)
  assert.match(await page(), /<p>You can now draw what a request waits for/)
  await saveResult(entry, record)
  assert.doesNotMatch(await page(), /You can now/, 'only once')
})

test('a hint counts as shown, a prediction is remembered', async (t) => {
  const { ask } = await openWeb(t)
  const hints = []
  for (let at = 0; at < 4; at++) hints.push((await ask('POST', '/api/lessons/mini/hint')).json())
  assert.deepEqual(hints.map(({ number }) => number), [1, 2, 3, 3])
  assert.match((await ask('GET', '/lessons/mini')).text, /id="hint-1" tabindex="-1"><p>Look at the loop\.<\/p>/)
  await ask('POST', '/api/lessons/mini/prediction', { body: { answers: [' the loop ', ''] } })
  const { prediction, hints: shown } = (await ask('GET', '/api/lessons/mini')).json()
  assert.deepEqual({ prediction, shown },
    {
      prediction: [
        { question: 'Which function, or which work, takes the time?', answer: 'the loop' },
        { question: 'What grows, with each request or with time?', answer: '' }
      ],
      shown: { shown: 3, total: 3 }
    })
})

test('the solution is shown on request, and from then on', async (t) => {
  const lessons = await makeRepository(t, {
    'solutions/03-in-memory-json/server.js': '// fast\n',
    'solutions/03-in-memory-json/README.md': 'Why\n'
  })
  const { ask } = await openWeb(t, lessons)
  const compare = '/lessons/in-memory-json/diff?with=solution'
  assert.doesNotMatch((await ask('GET', compare)).text, /\/\/ fast/)
  assert.equal((await ask('POST', '/api/lessons/in-memory-json/solution')).status, 200)
  assert.match((await ask('GET', compare)).text, /\/\/ fast.*<p>Why<\/p>/s)
})

test('a file is opened in the editor, and where none is known a sentence says so', async (t) => {
  const { ask, env } = await openWeb(t)
  env.PATH = ''
  const refused = await ask('POST', '/api/lessons/mini/open')
  assert.equal(refused.status, 409)
  assert.match(refused.json().error, /^Set the variable VISUAL or EDITOR to your editor, or open .+server\.js /)
  env.VISUAL = 'vi'
  const { error } = (await ask('POST', '/api/lessons/mini/open')).json()
  assert.match(error, /^Your editor works in a terminal: open it there with vi /)
  env.VISUAL = `"${process.execPath}"`
  assert.deepEqual((await ask('POST', '/api/lessons/mini/open')).json(), { said: 'It’s open in your editor.' })
  const { file: { editorUrl } } = (await ask('GET', '/api/lessons/mini')).json()
  assert.match(editorUrl, /^vscode:\/\/file\/.+\/01-mini\/server\.js$/)
})

test('a save is reported to pages with the lesson open', async (t) => {
  const { ask, env, listen } = await openWeb(t)
  env.VISUAL = `"${process.execPath}"`
  await ask('POST', '/api/lessons/mini/open')
  const { file } = (await ask('GET', '/api/lessons/mini')).json()
  const heard = await listen('/lessons/mini')
  assert.equal(heard.now().saved, '0')
  // The first look at the folder may still be in progress.
  const saving = setInterval(() => fs.appendFileSync(file.path, '// changed\n'), 700)
  t.after(() => clearInterval(saving))
  const { code } = await heard.until('saved', /^[1-9]/)
  assert.match(code, /changed/)
})

test('strangers are refused', async (t) => {
  const { url, ask } = await openWeb(t)
  const { host } = new URL(url)
  for (const [method, headers] of /** @type {[string, Record<string, string>][]} */ ([
    ['GET', { Host: 'evil.example' }],
    ['GET', { Origin: 'http://evil.example' }],
    ['GET', { 'Sec-Fetch-Site': 'cross-site' }],
    ['POST', { Origin: 'http://evil.example' }],
    ['POST', { 'X-Token': 'guessed' }]
  ])) {
    const { status, text } = await ask(method, method === 'GET' ? '/api/state' : '/api/lessons/mini/hint', { headers })
    assert.equal(status, 403, JSON.stringify(headers))
    assert.doesNotMatch(text, /Mini|token/)
  }
  assert.equal((await send(url, 'POST', '/api/lessons/mini/hint')).status, 403)
  const stale = await ask('GET', '/api/parts', { headers: { 'X-Token': 'of an earlier start' } })
  assert.deepEqual([stale.status, /reload it/.test(stale.text)], [403, true])
  assert.equal((await ask('GET', '/api/lessons/mini')).json().hints.shown, 0)
  assert.equal((await ask('GET', '/', { headers: { Host: host.replace('127.0.0.1', 'localhost') } })).status, 200)
})

test('nothing but pictures leaves a lesson, nothing but what is listed a package', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const lessons = await makeRepository(t, {
    'lessons/03-in-memory-json/pictures/a.svg': svg,
    'secret.svg': svg,
    'lessons/03-in-memory-json/.hidden.svg': svg
  })
  fs.symlinkSync(path.join(lessons, 'secret.svg'), path.join(lessons, 'lessons/03-in-memory-json/linked.svg'))
  const { ask } = await openWeb(t, lessons)
  const files = '/lessons/in-memory-json/files'
  const picture = await ask('GET', `${files}/pictures/a.svg`)
  assert.deepEqual([picture.status, picture.text], [200, svg])
  assert.match(String(picture.headers['content-security-policy']), /^default-src 'none'.*sandbox$/)
  for (const place of [
    `${files}/lesson.js`, `${files}/hints.md`, `${files}/.hidden.svg`, `${files}/linked.svg`,
    `${files}/../../secret.svg`, `${files}/..%2f..%2fsecret.svg`, `${files}/%2e%2e/%2e%2e/secret.svg`,
    `${files}/..%5c..%5csecret.svg`, `${files}/pictures/a.svg%00.png`, `${files}/pictures`,
    '/lessons/..%2f..%2fetc/files/a.svg', '/lessons/%2e%2e', '/lessons/none', '/api/lessons/none',
    '/static/..%2findex.js', '/static/%2e%2e/index.js', '/static/.gitkeep', '/nowhere', '/api/nowhere'
  ]) {
    const { status, text } = await ask('GET', place)
    assert.ok(status === 404 || status === 403, `${place}: ${status}`)
    assert.doesNotMatch(text, /import |<svg| at .+\.js:/, place)
  }
})

test('what makes no sense is answered with a sentence', async (t) => {
  const { ask } = await openWeb(t)
  const long = 'x'.repeat(20_000)
  for (const [status, place, body] of /** @type {const} */ ([
    [413, '/api/lessons/mini/prediction', { answers: [long, ''] }],
    [413, '/api/jobs', long],
    [400, '/api/lessons/mini/prediction', { answers: ['', 'x'.repeat(2001)] }],
    [400, '/api/lessons/mini/prediction', { answers: [{ a: 1 }, ''] }],
    [400, '/api/lessons/mini/prediction', { answers: [' ', ''] }],
    [400, '/api/lessons/mini/prediction', { answers: ['the loop'] }],
    [400, '/api/lessons/mini/prediction', {}],
    [400, '/api/jobs', '{"kind":'],
    [400, '/api/jobs', { kind: 'constructor', lesson: 'mini' }],
    [400, '/api/jobs', { kind: 'profile', lesson: 'mini', tool: 'inspect' }],
    [400, '/api/jobs', { kind: 'profile', lesson: 'mini', tool: ['cpu'] }],
    [400, '/api/jobs', { kind: 'bench', lesson: 'mini', server: '/etc' }],
    [400, '/api/jobs', { kind: 'bench', lesson: 'mini', load: 'constructor' }],
    [400, '/api/jobs', { kind: 'bench', lesson: 'mini', connections: 1e9 }],
    [400, '/api/jobs', { kind: 'serve', lesson: 'mini' }],
    [400, '/api/served', { lesson: 'mini', server: 'solution' }],
    [400, '/api/served', { lesson: 'mini', port: '80; ls' }],
    [400, '/api/served', { lesson: 'mini', node: '--import=/tmp/x.js' }],
    [400, '/api/jobs', { kind: 'load', lesson: 'mini', line: 'npx autocannon http://127.0.0.1:1/1' }],
    [400, '/api/lessons/mini/send', { line: 'curl http://127.0.0.1:PORT/2' }],
    [404, '/api/lessons/mini/both', { check: 'constructor' }],
    [404, '/api/served', { lesson: '../mini' }],
    [404, '/api/lessons/mini/open', { file: '../../secret.txt' }],
    [404, '/api/lessons/mini/open', { file: ['server.js'] }],
    [400, '/api/lessons/mini/open', { line: '1; touch x' }],
    [400, '/api/lessons/mini/open', { line: 0 }],
    [404, '/api/jobs', { kind: 'check', lesson: '../mini' }],
    [404, '/api/jobs', { kind: 'check' }]
  ])) {
    const answer = await ask('POST', place, { body })
    assert.equal(answer.status, status, JSON.stringify(body).slice(0, 60))
    assert.match(answer.json().error, /^[A-Z].+\.$/)
  }
  for (const [place, status] of Object.entries({
    '/lessons/mini/diff?with=passwords': 400,
    '/lessons/mini/profile?tool=constructor': 400,
    '/lessons/mini/profile/report?tool=..%2f..': 400,
    '/lessons/mini/profile/report?tool=cpu': 404
  })) {
    assert.equal((await ask('GET', place)).status, status, place)
  }
})
