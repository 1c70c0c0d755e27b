import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** The ports of those that listen; the first one is the next to be asked. */
const ports = []

for (let i = 0; i < Math.max(2, availableParallelism()); i++) start()

export async function nextRenderer () {
  while (ports.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  const port = ports.shift()
  ports.push(port)
  return port
}

async function start () {
  const renderer = fork(new URL('renderer.js', import.meta.url))
  const exit = once(renderer, 'exit')
  let port
  renderer.once('message', (itsPort) => ports.push(port = itsPort))
  await exit
  if (port === undefined) await new Promise((resolve) => setTimeout(resolve, 500))
  else ports.splice(ports.indexOf(port), 1)
  start()
}
