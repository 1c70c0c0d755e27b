import { patch } from '../apply.js'

export default [
  {
    name: 'base',
    on: 'slow',
    why: 'Cluster on plain node:http, with a primary that holds what is shared: the wrong ones change it.',
    files: 'right/base'
  },
  {
    name: 'valid-commonjs',
    on: 'slow',
    why: 'CommonJS; the primary has the huts, too, and answers in the order in which it was asked: no ids.',
    files: 'right/commonjs',
    change: patch`
      @@ panorama.js
      -export function panorama (terrain, x, y) {
      +exports.panorama = function panorama (terrain, x, y) {
    `
  },
  {
    name: 'valid-render-processes',
    on: 'slow',
    why: "One process serves and keeps its variables; child processes render, and a lost one's panorama is made again.",
    files: 'right/render-processes',
    change: patch`
      -import { panorama } from './panorama.js'
      +import { render } from './pool.js'
      @@
      -app.get('/panorama/:x/:y', (req, res) => {
      +app.get('/panorama/:x/:y', async (req, res) => {
      @@
      -  res.json(panorama(terrain, x, y))
      +  res.json(await render(x, y))
    `
  },
  {
    name: 'valid-signed-sessions',
    on: 'base',
    why: 'A session is a name and a signature, so that any process can check it, and none has to keep it.',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      +import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
      @@
      -  const sessions = new Map()
         const wrongPins = new Map()
      @@
      -    rightPin: (name) => (wrongPins.get(name) ?? 0) < 5,
      -    keep: (session, name) => sessions.set(session, name).size,
      -    nameOf: (session) => sessions.get(session)
      +    rightPin: (name) => (wrongPins.get(name) ?? 0) < 5
      @@
      -  cluster.on('exit', () => cluster.fork())
      -  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
      +  const SECRET = randomBytes(32).toString('hex')
      +  cluster.on('exit', () => cluster.fork({ SECRET }))
      +  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork({ SECRET })
      @@
      +const sign = (text) => createHmac('sha256', process.env.SECRET).update(text).digest()
      +
       function routesOf (ask) {
      @@
      -      const session = randomBytes(24).toString('hex')
      -      await ask('keep', session, name)
      +      const session = \`\${Buffer.from(name).toString('hex')}.\${sign(name).toString('hex')}\`
      @@
      -      const name = session && await ask('nameOf', session)
      -      return name === undefined ? [401, { error: 'unauthorised' }] : [200, { name }]
      +      const [name = '', mark = ''] = session?.split('.').map((part) => Buffer.from(part, 'hex')) ?? []
      +      const wanted = sign(name)
      +      const isOurs = mark.length === wanted.length && timingSafeEqual(mark, wanted)
      +      return isOurs ? [200, { name: name.toString() }] : [401, { error: 'unauthorised' }]
    `
  },
  {
    name: 'valid-sockets-handed-over',
    on: 'base',
    why: 'Connections are handed to child processes, without cluster.',
    change: patch`
      -import cluster from 'node:cluster'
      +import { fork } from 'node:child_process'
      @@
       import http from 'node:http'
      +import net from 'node:net'
      @@
      -if (cluster.isPrimary) startPrimary()
      +if (process.send === undefined) startPrimary()
      @@
      -  cluster.on('message', (worker, { id, call, args }) => {
      -    worker.send({ id, result: shared[call](...args) }, () => {})
      -  })
      -  cluster.on('exit', () => cluster.fork())
      -  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
      +  const workers = []
      +  let turn = 0
      +  const start = () => {
      +    const worker = fork(new URL(import.meta.url))
      +    workers.push(worker)
      +    worker.on('message', ({ id, call, args }) => worker.send({ id, result: shared[call](...args) }, () => {}))
      +    worker.on('error', () => {})
      +    worker.on('exit', (code) => {
      +      workers.splice(workers.indexOf(worker), 1)
      +      setTimeout(start, code === 1 ? 500 : 0)
      +    })
      +  }
      +  for (let i = 0; i < Math.max(2, availableParallelism()); i++) start()
      +  net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      +    const worker = workers[turn++ % workers.length]
      +    if (worker === undefined) return socket.destroy()
      +    worker.send({ connection: true }, socket, (error) => error && socket.destroy())
      +  }).listen(Number(PORT), HOST)
      @@
      -  http.createServer(async (req, res) => {
      +  const server = http.createServer(async (req, res) => {
      @@
      -  }).listen(Number(PORT), HOST)
      +  })
      +  // It never listens: connections come from the parent.
      +  process.on('message', ({ connection }, socket) => {
      +    if (!connection || !socket) return
      +    server.emit('connection', socket)
      +    socket.resume()
      +  })
      +  process.on('disconnect', () => process.exit())
      @@
      -    waiting.get(id)(result)
      +    waiting.get(id)?.(result)
    `
  },
  {
    name: 'valid-state-in-files',
    on: 'base',
    why: 'What is shared is in files that only one can make, so no process holds it.',
    files: 'right/state-in-files',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      @@
       import { panorama } from './panorama.js'
      +import { countWrong, isLocked, makeFolder, nameOf, openSession } from './state.js'
      @@
      -  const sessions = new Map()
      -…
      -    worker.send({ id, result: shared[call](...args) }, () => {})
      -  })
      +  makeFolder()
      @@
      -  const routes = routesOf(asker())
      +  const routes = routesOf()
      @@
      -function asker () {
      -…
      -    process.send({ id: lastId, call, args })
      -  })
      -}
      -
      -function routesOf (ask) {
      +function routesOf () {
      @@
      -      const isAllowed = await ask(isRight ? 'rightPin' : 'tryPin', name)
      +      const isAllowed = isRight ? !isLocked(name) : countWrong(name)
      @@
      -      const session = randomBytes(24).toString('hex')
      -      await ask('keep', session, name)
      +      const session = openSession(name)
      @@
      -      const name = session && await ask('nameOf', session)
      +      const name = session && nameOf(session)
    `
  },
  {
    name: 'valid-tuned-walk',
    on: 'base',
    why: 'The arithmetic is faster as well, with the same figures.',
    files: 'right/tuned-walk'
  },
  {
    name: 'valid-worker-threads',
    on: 'slow',
    why: 'Threads render, not processes; the main thread serves and keeps its variables.',
    files: 'right/worker-threads',
    change: patch`
      -import { panorama } from './panorama.js'
      +import { startPool } from './pool.js'
      @@
       const WRONG_PINS = 5
      +const render = startPool(terrain)
      @@
      -app.get('/panorama/:x/:y', (req, res) => {
      +app.get('/panorama/:x/:y', async (req, res) => {
      @@
      -  res.json(panorama(terrain, x, y))
      +  res.json(await render(x, y))
    `
  }
]
