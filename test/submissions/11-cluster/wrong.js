import { lines } from '../apply.js'

export default [
  {
    name: 'all-restarted',
    on: 'base',
    why: 'The death of one worker ends all others: every request that is under way is lost.',
    refusedBy: 'contract',
    named: [
      'goes on answering and counting when a worker dies',
      'has all its workers and its count 2 s after one died'
    ],
    change: {
      'server.js': [
        [lines`
            cluster.on('exit', () => cluster.fork())
        `, lines`
            cluster.on('exit', (worker) => {
              // Nobody knows what state the others are in: begin afresh with all of them.
              if (!worker.replaced) {
                for (const other of Object.values(cluster.workers)) {
                  other.replaced = true
                  other.process.kill('SIGKILL')
                  cluster.fork()
                }
                cluster.fork()
              }
            })
        `]
      ]
    }
  },
  {
    name: 'answers-cached',
    on: 'base',
    why: 'The whole answer is remembered for each place, its visit number included.',
    refusedBy: 'contract',
    named: 'numbers the visits one after another, also those of one place',
    change: {
      'server.js': [
        [lines`
            const last = (terrain.size - 1) * terrain.cell - 100
        `, lines`
            const last = (terrain.size - 1) * terrain.cell - 100
            const cache = new Map()
        `],
        [lines`
              const view = panorama(terrain, x, y)
              answer(res, 200, { ...view, visit: await count(1) })
        `, lines`
              if (!cache.has(req.url)) cache.set(req.url, { ...panorama(terrain, x, y), visit: await count(1) })
              answer(res, 200, cache.get(req.url))
        `]
      ]
    }
  },
  {
    name: 'coarser-steps',
    on: 'base',
    why: 'The cluster is right, but the walk along each line of sight takes longer steps and misses summits.',
    refusedBy: 'contract',
    named: 'computes the panorama of any place on the map',
    otherwise: { refusedBy: 'load', named: '/panorama/' },
    change: {
      'panorama.js': [
        ['const STEP = 1', 'const STEP = 4']
      ]
    }
  },
  {
    name: 'count-dies-with-worker',
    on: 'base',
    why: 'The visits are kept for each worker, and those of a worker that dies are forgotten.',
    refusedBy: 'contract',
    named: 'goes on answering and counting when a worker dies',
    change: {
      'server.js': [
        [lines`
            let visits = 0
            cluster.on('message', (worker, { id, add }) => {
              visits += add
        `, lines`
            const counts = new Map()
            cluster.on('message', (worker, { id, add }) => {
              counts.set(worker.id, (counts.get(worker.id) ?? 0) + add)
              const visits = [...counts.values()].reduce((sum, count) => sum + count, 0)
        `],
        [lines`
            cluster.on('exit', () => cluster.fork())
        `, lines`
            cluster.on('exit', (worker) => {
              counts.delete(worker.id)
              cluster.fork()
            })
        `]
      ]
    }
  },
  {
    name: 'counter-per-worker',
    on: 'base',
    why: 'Every worker counts for itself, so two visitors get the same number.',
    refusedBy: 'contract',
    named: 'gives each of many visits at once a number of its own',
    change: {
      'server.js': [
        [lines`
            let visits = 0
            cluster.on('message', (worker, { id, add }) => {
              visits += add
              worker.send({ id, visits }, () => {})
            })
        `, ''],
        [lines`
            const waiting = new Map()
            let lastId = 0
            process.on('message', ({ id, visits }) => {
              waiting.get(id)(visits)
              waiting.delete(id)
            })
            const count = (add) => new Promise((resolve) => {
              waiting.set(++lastId, resolve)
              process.send({ id: lastId, add })
            })

            http.createServer(async (req, res) => {
              if (req.url === '/visits') return answer(res, 200, { visits: await count(0) })
        `, lines`
            let visits = 0

            http.createServer((req, res) => {
              if (req.url === '/visits') return answer(res, 200, { visits })
        `],
        ['answer(res, 200, { ...view, visit: await count(1) })', 'answer(res, 200, { ...view, visit: ++visits })']
      ]
    }
  },
  {
    name: 'never-replaced',
    on: 'base',
    why: 'A worker that dies is mentioned in the log and not replaced.',
    refusedBy: 'contract',
    named: 'has all its workers and its count 2 s after one died',
    change: {
      'server.js': [
        [lines`
            cluster.on('exit', () => cluster.fork())
        `, lines`
            cluster.on('exit', (worker) => console.error(\`worker \${worker.process.pid} is gone\`))
        `]
      ]
    }
  },
  {
    name: 'numbers-shared-under-load',
    on: 'base',
    why: 'After a hundred visits some share a number: a few clicks by hand never show it.',
    refusedBy: 'contract',
    named: [
      'goes on answering and counting when a worker dies',
      'gives each of many visits at once a number of its own',
      'loses and adds no visit when there are many at once'
    ],
    change: {
      'server.js': [
        [lines`
            let visits = 0
        `, lines`
            let visits = 0
            const together = []
        `],
        [lines`
              worker.send({ id, visits }, () => {})
        `, lines`
              if (visits < 100 || add === 0) return worker.send({ id, visits }, () => {})
              // Busy: visits that come close together are answered together.
              together.push({ worker, id })
              if (together.length === 1) setTimeout(() => \
                together.splice(0).forEach(({ worker, id }) => worker.send({ id, visits }, () => {})), 8)
        `]
      ]
    }
  },
  {
    name: 'one-worker',
    on: 'base',
    why: 'There is a cluster, of one worker: still one core.',
    refusedBy: 'gate',
    named: 'panoramas',
    change: {
      'server.js': [
        [lines`
          import { availableParallelism } from 'node:os'
        `, ''],
        ['for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()', 'cluster.fork()']
      ]
    }
  },
  {
    name: 'primary-dies',
    on: 'base',
    why: 'When a worker dies the primary ends, too, and leaves it to others to start all of it again.',
    refusedBy: 'contract',
    named: 'goes on answering and counting when a worker dies',
    change: {
      'server.js': [
        ["cluster.on('exit', () => cluster.fork())", "cluster.on('exit', () => process.exit(1))"]
      ]
    }
  },
  {
    name: 'replaced-once',
    on: 'base',
    why: 'The first worker that dies is replaced, the second one is not.',
    refusedBy: 'contract',
    named: 'has all its workers and its count 2 s after one died',
    change: {
      'server.js': [
        ["cluster.on('exit', () => cluster.fork())", "cluster.once('exit', () => cluster.fork())"]
      ]
    }
  }
]
