import assert from 'node:assert/strict'
import test from 'node:test'
import { WorkshopError } from '../../runner/shared/errors.js'
import { nameLesson, renamed } from '../../runner/workspace/write-lesson.js'

const folders = ['01-sync-login', '09-thread-pool', '16-capstone']

test('a new lesson gets the next number, or the requested one', () => {
  const lesson = { number: 17, id: 'cold-start', folder: '17-cold-start', title: 'Cold start' }
  assert.deepEqual(nameLesson({ topic: 'cold-start', number: undefined, folders }), lesson)
  assert.equal(nameLesson({ topic: 'http2', number: '4', folders }).folder, '04-http2')
  assert.equal(nameLesson({ topic: 'first', number: undefined, folders: [] }).folder, '01-first')
  assert.equal(nameLesson({ topic: 'far', number: '120', folders }).folder, '120-far')
})

for (const [topic, number, expected] of /** @type {[string | undefined, string | undefined, RegExp][]} */ ([
  [undefined, undefined, /^Say what it is about, for example/],
  ['Cold Start!', undefined, /“Cold Start!” cannot name a lesson: .+, for example cold-start\.$/],
  ['../etc', undefined, /, for example etc\.$/],
  ['东京', undefined, /single dashes\.$/],
  ['a--b', undefined, /, for example a-b\.$/],
  ['thread-pool', undefined, /^There is a lesson 09-thread-pool already/],
  ['cold-start', '9', /^Number 9 is taken by 09-thread-pool/],
  ['cold-start', '0', /^--number takes a whole number from 1 to 9999, got 0\.$/],
  ['cold-start', '1.5', /got 1\.5\.$/],
  ['cold-start', 'x', /got x\.$/],
  ['cold-start', '', /got \.$/],
  ['cold-start', '-3', /got -3\.$/]
])) {
  test(`no lesson is called ${topic} with the number ${number}`, () => {
    assert.throws(() => nameLesson({ topic, number, folders }), (error) => {
      return error instanceof WorkshopError && expected.test(error.message)
    })
  })
}

test('the names of the template are replaced once, whatever the new ones are', () => {
  const lesson = { number: 17, id: 'lesson-0', folder: '17-lesson-0', title: 'My topic again' }
  assert.equal(
    renamed('# My topic: `my-topic` in 00-my-topic, lesson-0 not lesson-01, lessons -- 0 --write', lesson),
    '# My topic again: `lesson-0` in 17-lesson-0, lesson-17 not lesson-01, lessons -- 17 --write'
  )
})
