import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { commands, parseCommandLine } from '../../runner/cli/main.js'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { tools } from '../../runner/profiling/index.js'
import { readAnswers } from '../../classroom/room/room-routes.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { readCases } from '../submissions/apply.js'
import { commandsIn, findDebriefs, findTimes, minutesIn, slidesOf } from './teaching.js'

const folder = path.join(workshopRoot, 'docs', 'teaching')
const read = (/** @type {string} */ name) => fs.readFileSync(path.join(folder, name), 'utf8')
// The pages for teaching are by number, in whichever order lessons are recommended.
const entries = await Promise.all((await findLessons({ root: workshopRoot })).map(loadLesson))
entries.sort((a, b) => a.number - b.number)
const lessons = await Promise.all(entries.map(async (entry) => ({
  number: entry.number,
  folder: entry.folder,
  title: entry.lesson.title,
  wrong: Object.fromEntries((await readCases(entry)).map(({ name, by, gate }) => [name, [by ?? gate ?? []].flat()])),
  minutes: minutesIn(fs.readFileSync(path.join(entry.dir, 'README.md'), 'utf8'))
})))
const { scripts } = JSON.parse(fs.readFileSync(path.join(workshopRoot, 'package.json'), 'utf8'))
const silent = /** @type {any} */ ({ write () {} })

test('every lesson has its debrief: something to show, three questions, and mistakes that people make', () => {
  assert.deepEqual(findDebriefs(read('debriefs.md'), lessons), [])
})

test('five exam questions for each lesson, with five answers', () => {
  const sections = read('exam.md').split(/^## /m).slice(1)
  assert.deepEqual(sections.map((section) => section.split('\n')[0]), lessons.map(({ number, title }) =>
    `${number} · ${title}`))
  for (const section of sections) {
    const [questions, answers] = section.split('<details>').map((part) => [...part.matchAll(/^(\d)\. /gm)])
    for (const list of [questions, answers]) assert.equal(list.map(([, at]) => at).join(''), '12345', section)
  }
})

test('the key to all questions has those of each lesson, by number', async () => {
  const key = await readAnswers(entries)
  assert.deepEqual(key.map(({ number }) => number), lessons.map(({ number }) => number))
  for (const { number, answers } of key) assert.match(answers, /^1\. \*\*[^]*^3\. \*\*/m, `lesson ${number}`)
})

test('the timetables agree with the lessons and add up', () => {
  assert.ok(lessons.some(({ minutes }) => minutes))
  assert.deepEqual(findTimes(read('README.md'), lessons), [])
})

for (const name of fs.readdirSync(folder)) {
  test(`docs/teaching/${name}: its commands are understood, and what they name is there`, async () => {
    const text = read(name)
    assert.ok(commandsIn(text).length > 0)
    for (const command of commandsIn(text)) {
      const argv = command.split(/\s+/).filter((word) => word !== '--')
      assert.ok(Object.hasOwn(scripts, argv[0]), command)
      if (!scripts[argv[0]].includes('cli.js')) continue
      const { values, positionals: [lesson] } =
        await parseCommandLine(argv, { commands, env: {}, stdout: silent, stderr: silent })
      const entry = entries.find(({ number }) => lesson === `lesson-${number}`)
      assert.ok(lesson === undefined || entry, command)
      if (values.tool) assert.ok(Object.hasOwn(tools, values.tool), command)
      if (values.load) assert.ok(Object.hasOwn(entry?.lesson.loads ?? {}, values.load), command)
    }
    for (const [, number] of text.matchAll(/\blessons? (\d+)/gi)) {
      assert.ok(lessons.some((lesson) => lesson.number === Number(number)), `lesson ${number}`)
    }
    for (const [place] of text.matchAll(/(?<= )(?:lessons|slow-servers)\/[\w./-]+/g)) {
      assert.ok(fs.existsSync(path.join(workshopRoot, place)), place)
    }
  })
}

test('a slide for before and one for after each lesson, a drawing between them, few words, notes for all', () => {
  const slides = slidesOf(read('slides.md'))
  assert.ok(slides.length <= 60, `${slides.length} slides`)
  for (const { markdown, notes } of slides) {
    assert.match(markdown, /^##? .+\n/)
    assert.ok(markdown.split(/\s+/).length <= 45, markdown)
    assert.notEqual(notes, '', markdown)
  }
  const numbers = (/** @type {RegExp} */ heading) => slides.flatMap(({ markdown }) => heading.exec(markdown)?.[1] ?? [])
  const day = [...read('README.md').split('## A day')[1].split('\n## ')[0].matchAll(/\| lesson (\d+) \|/g)]
  const before = numbers(/^## Lesson (\d+) · /)
  assert.ok(day.length >= 5)
  assert.deepEqual(before.slice(0, day.length), day.map(([, number]) => number))
  assert.deepEqual(numbers(/^## After lesson (\d+)\n/), before)
  assert.deepEqual(before.map(Number).sort((a, b) => a - b), lessons.map(({ number }) => number))
  const drawings = [...read('slides.md').matchAll(/^!\[.+\]\((.+)\)$/gm)].map(([, place]) => path.join(folder, place))
  assert.deepEqual(drawings.filter((file) => !fs.existsSync(file)), [])
  const drawn = lessons.filter(({ folder }) => drawings.some((file) => file.includes(folder)))
  assert.deepEqual(lessons.filter((one) => !drawn.includes(one)).map(({ number }) => number), [5], 'it has no drawing')
})

const one = { number: 1, title: 'Slow', wrong: { a: ['rate'], b: ['rate'], c: [] }, minutes: { read: 5, work: 30 } }
const good = `## 1 · Slow

**Show.** Look.

    npm run check lesson-1

**Ask.**

1. *A?* No.
2. *B?* No.
3. *C?* No.

**Common mistakes.**

- \`a\` and \`b\` (*rate*): "Why?"
- \`b\` (*rate*): "Why?"
- \`c\`: "Look at \`x\`."
`

test('what a debrief lacks is told', () => {
  assert.deepEqual(findDebriefs(good, [one]), [])
  for (const [text, told] of /** @type {[string, RegExp][]} */ ([
    ['', /“1 · Slow” has no debrief/],
    [good + '## 2 · Slower\n', /“2 · Slower” is no lesson/],
    [good.replace('**Ask.**', 'Ask.'), /lacks \*\*Show/],
    [good.replace('    npm', 'npm'), /shows no command/],
    [good.replace('3. *C?* No.', ''), /three questions/],
    [good.replace(/- `c`.*/, ''), /has 2 mistakes/],
    [good.replace('- `b` (*rate*)', '- `d`'), /wrong\.js has no “d”/],
    [good.replace('- `b` (*rate*)', '- `b`'), /wrong\.js says “rate”, not “”: - `b`$/],
    [good.replace('check lesson-1', 'check lesson-2'), /names a command of lesson-2/]
  ])) {
    const findings = findDebriefs(text, [one])
    assert.equal(findings.length, 1, String(told))
    assert.match(findings[0], told)
  }
})

test('a figure that does not fit is told', () => {
  const times = '| [1](x) | 5 | 30 | |\n\n| 15 | opening |\n| 35 | lesson 1 |\n| **50** | |\n\n| 1 | 1 | 30 | all |\n'
  assert.deepEqual(findTimes(times, [one]), [])
  assert.deepEqual(findTimes(times.replace('15', '20'), [one]), ['A timetable of 55 minutes says that it has 50.'])
  assert.deepEqual(findTimes(times.replace('| 35', '| 40').replace('50', '55'), [one]),
    ['Lesson 1 takes 35 minutes, a timetable says 40.'])
  assert.deepEqual(findTimes(times.replace('1 | 30', '1 | 31'), [one]),
    ['The session of lesson 1 says 31 minutes: 30.'])
  assert.deepEqual(findTimes(times, [{ ...one, minutes: { read: 6, work: 30 } }]),
    ['Lesson 1 says 6 and 30 minutes, its row 5 and 30.'])
  assert.deepEqual(findTimes(times, [{ ...one, minutes: null }, { ...one, number: 2 }]), ['Lesson 2 has no row.'])
})
