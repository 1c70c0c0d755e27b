import assert from 'node:assert/strict'
import test from 'node:test'
import { createTasks } from '../../../runner/cli/watch-lesson.js'

const { signal } = new AbortController()

test('tasks come in their order, the same twice in a row comes once', async () => {
  const tasks = createTasks()
  for (const task of /** @type {const} */ (['preview', 'preview', 'hint', 'preview'])) tasks.put(task)
  const taken = [await tasks.take(signal), await tasks.take(signal), await tasks.take(signal)]
  assert.deepEqual(taken, ['preview', 'hint', 'preview'])
})

test('who takes before there is one gets the next', async () => {
  const tasks = createTasks()
  const taken = tasks.take(signal)
  tasks.put('preview')
  assert.equal(await taken, 'preview')
})

test('waiting ends with the signal, also one that has ended before', async () => {
  const tasks = createTasks()
  const controller = new AbortController()
  const taken = tasks.take(controller.signal)
  controller.abort()
  await assert.rejects(taken, { name: 'AbortError' })
  await assert.rejects(tasks.take(controller.signal), { name: 'AbortError' })
})
