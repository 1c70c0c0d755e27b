import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'

// Others render, one panorama at a time; a lost one's panorama is rendered again.
const idle = []
const queue = []
for (let i = 0; i < availableParallelism(); i++) startRenderer()

function startRenderer () {
  const renderer = fork(new URL('render.js', import.meta.url))
  let task
  renderer.take = (next) => {
    task = next
    renderer.send({ x: task.x, y: task.y }, () => {})
  }
  renderer.on('message', (view) => {
    task?.resolve(view)
    task = undefined
    if (queue.length > 0) renderer.take(queue.shift())
    else idle.push(renderer)
  })
  renderer.on('exit', () => {
    if (idle.includes(renderer)) idle.splice(idle.indexOf(renderer), 1)
    if (task) queue.unshift(task)
    startRenderer()
  })
}

export function render (x, y) {
  return new Promise((resolve) => {
    const task = { x, y, resolve }
    if (idle.length > 0) idle.shift().take(task)
    else queue.push(task)
  })
}
