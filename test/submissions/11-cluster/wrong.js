import { patch } from '../apply.js'

export const on = 'base'

export default [
  {
    name: 'all-restarted',
    why: 'The death of one worker ends all others: every request that is under way is lost.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker) => {
      +    // Nobody knows what state the others are in: begin afresh with all of them.
      +    if (!worker.replaced) {
      +      for (const other of Object.values(cluster.workers)) {
      +        other.replaced = true
      +        other.process.kill('SIGKILL')
      +        cluster.fork()
      +      }
      +      cluster.fork()
      +    }
      +  })
    `
  },
  {
    name: 'answers-cached',
    why: 'The whole answer is remembered for each place, its visit number included.',
    change: patch`
         const last = (terrain.size - 1) * terrain.cell - 100
      +  const cache = new Map()
      @@
      -    const view = panorama(terrain, x, y)
      -    answer(res, 200, { ...view, visit: await count(1) })
      +    if (!cache.has(req.url)) cache.set(req.url, { ...panorama(terrain, x, y), visit: await count(1) })
      +    answer(res, 200, cache.get(req.url))
    `
  },
  {
    name: 'back-off',
    why: 'Each death makes the next replacement wait twice as long, so the fifth worker is missing for three seconds.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  let waitMs = 100
      +  cluster.on('exit', () => setTimeout(() => cluster.fork(), waitMs *= 2))
    `
  },
  {
    name: 'clean-end-not-replaced',
    why: 'Only a worker that ended with a fault is replaced: one that was asked to end is missing for good.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker, code) => code !== 0 && cluster.fork())
      @@
         const last = (terrain.size - 1) * terrain.cell - 100
      +  process.on('SIGTERM', () => process.exit(0))
    `
  },
  {
    name: 'coarser-steps',
    why: 'The cluster is right, but the walk along each line of sight takes longer steps and misses summits.',
    by: 'computes the panorama of any place on the map, to the last digit',
    otherwise: { load: '/panorama/' },
    change: patch`
      @@ panorama.js
      -const STEP = 1
      +const STEP = 4
    `
  },
  {
    name: 'count-dies-with-worker',
    why: 'The visits are kept for each worker, and those of a worker that dies are forgotten.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  let visits = 0
      +  const counts = new Map()
         cluster.on('message', (worker, { id, add }) => {
      -    visits += add
      +    counts.set(worker.id, (counts.get(worker.id) ?? 0) + add)
      +    const visits = [...counts.values()].reduce((sum, count) => sum + count, 0)
      @@
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker) => {
      +    counts.delete(worker.id)
      +    cluster.fork()
      +  })
    `
  },
  {
    name: 'counter-per-worker',
    why: 'Every worker counts for itself, so two visitors get the same number.',
    change: patch`
      -  let visits = 0
      -…
      -  })
      @@
      -  const waiting = new Map()
      -…
      -    if (req.url === '/visits') return answer(res, 200, { visits: await count(0) })
      +  let visits = 0
      +
      +  http.createServer((req, res) => {
      +    if (req.url === '/visits') return answer(res, 200, { visits })
      @@
      -    answer(res, 200, { ...view, visit: await count(1) })
      +    answer(res, 200, { ...view, visit: ++visits })
    `
  },
  {
    name: 'every-second-ray',
    why: 'Only every second line of sight is walked. Those in between are guessed from their neighbours.',
    by: 'computes the panorama of any place on the map, to the last digit',
    otherwise: { load: 'the skyline in direction' },
    change: patch`
      @@ panorama.js
      -  for (let i = 0; i < DIRECTIONS; i++) {
      -    skyline.push(horizon(terrain, x, y, height + 2, i * 2 * Math.PI / DIRECTIONS))
      +  for (let i = 0; i < DIRECTIONS; i += 2) {
      +    skyline[i] = horizon(terrain, x, y, height + 2, i * 2 * Math.PI / DIRECTIONS)
      +    if (i > 0) skyline[i - 1] = Math.round((skyline[i - 2] + skyline[i]) / 2)
         }
      +  skyline.push(Math.round((skyline[0] + skyline[DIRECTIONS - 2]) / 2))
    `
  },
  {
    name: 'forks-instead-of-ending',
    why: 'Asked to stop, it ends its workers, and puts a new one into the place of each: it never ends.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
         cluster.on('exit', () => cluster.fork())
      +  process.on('SIGTERM', () => Object.values(cluster.workers).forEach((worker) => worker.kill()))
    `
  },
  {
    name: 'gives-up-after-two',
    why: 'Two workers that die are replaced, and no further one: something must be wrong.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  let spare = 2
      +  cluster.on('exit', () => spare-- > 0 && cluster.fork())
    `
  },
  {
    name: 'left-behind',
    on: 'valid-render-processes',
    why: 'Those who compute do not listen to SIGTERM, and wait for a word of the one who serves. It ends without it.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      @@ render.js
      -process.on('disconnect', () => process.exit())
      +// Ctrl-C goes to all processes. What is under way has to be finished first.
      +process.on('SIGTERM', () => {})
      +setInterval(() => console.log(process.pid, 'is well'), 60_000)
    `
  },
  {
    name: 'never-replaced',
    why: 'A worker that dies is mentioned in the log and not replaced.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker) => console.error(\`worker \${worker.process.pid} is gone\`))
    `
  },
  {
    name: 'numbers-shared-under-load',
    why: 'After forty visits some share a number: a few clicks by hand never show it.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    otherwise: { load: 'was already given to another visit' },
    change: patch`
         let visits = 0
      +  const together = []
      @@
      -    worker.send({ id, visits }, () => {})
      +    if (visits < 40 || add === 0) return worker.send({ id, visits }, () => {})
      +    // Busy: visits that come close together are answered together.
      +    together.push({ worker, id })
      +    if (together.length === 1) setTimeout(() => together.splice(0).forEach(({ worker, id }) => worker.send({ \
        id, visits }, () => {})), 8)
    `
  },
  {
    name: 'one-number-for-one-place',
    on: 'valid-render-processes',
    why: 'A request for a place that is being rendered gets the same picture, which is clever, and the same number.',
    by: 'gives no two visits the same number, even many at once, and skips none',
    change: patch`
      +const underWay = new Map()
      +
      +function visit (x, y) {
      +  const place = \`\${x}/\${y}\`
      +  if (!underWay.has(place)) {
      +    const view = render(x, y).then((view) => ({ ...view, visit: ++visits }))
      +    underWay.set(place, view.finally(() => underWay.delete(place)))
      +  }
      +  return underWay.get(place)
      +}
      +
       function render (x, y) {
      @@
      -  const view = await render(x, y)
      -  answer(res, 200, { ...view, visit: ++visits })
      +  answer(res, 200, await visit(x, y))
    `
  },
  {
    name: 'one-worker',
    why: 'There is a cluster, of one worker: still one core.',
    gate: 'processor use',
    change: patch`
      -import { availableParallelism } from 'node:os'
      @@
      -  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
      +  cluster.fork()
    `
  },
  {
    name: 'place-misread',
    why: 'It reads a place as far as it has metres, and what comes after them is never seen.',
    change: patch`
      -    const [x, y] = /^\/panorama\/(\d{1,5})\/(\d{1,5})$/.exec(req.url)?.slice(1).map(Number) ?? [0, 0]
      +    const [x, y] = /^\/panorama\/(\d{1,5})\/(\d{1,5})/.exec(req.url)?.slice(1).map(Number) ?? [0, 0]
    `
  },
  {
    name: 'primary-dies',
    why: 'When a worker dies the primary ends, too, and leaves it to others to start all of it again.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', () => process.exit(1))
    `
  },
  {
    name: 'replaced-once',
    why: 'The first worker that dies is replaced, the second one is not.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.once('exit', () => cluster.fork())
    `
  },
  {
    name: 'tuned-alone',
    on: 'valid-tuned-walk',
    why: 'The walk is faster, which lifts the rate above its target, and still one process walks.',
    gate: 'processor use',
    change: patch`
      -import { availableParallelism } from 'node:os'
      @@
      -  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
      +  cluster.fork()
    `
  },
  {
    name: 'waits-for-the-dead',
    why: 'Asked to stop, it ends when all workers have ended that there should be. One that died before is not there.',
    by: 'keeps visits counted when its workers die, replaces each one, and exits with all of them',
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  let stopping = false
      +  let alive = Math.max(2, availableParallelism())
      +  cluster.on('exit', () => {
      +    // Not at once: one that cannot start would keep the machine busy.
      +    if (!stopping) setTimeout(() => stopping || cluster.fork(), 250)
      +    else if (--alive === 0) process.exit()
      +  })
      +  process.on('SIGTERM', () => {
      +    stopping = true
      +    for (const worker of Object.values(cluster.workers)) worker.process.kill()
      +    // Should one of them hang.
      +    setTimeout(() => process.exit(), 5000)
      +  })
    `
  }
]
