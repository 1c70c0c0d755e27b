import { lines } from '../apply.js'

export default [
  {
    name: 'as-published',
    why: 'It takes minutes.',
    by: 'fits into the time budget',
    change: {
      'load.js': lines`
        // The starting copy.
        export default {
          users: 100,
          requests: 100,
          rampUpMs: 100_000,
          paths: ['/work'],
          durationMs: 110_000,
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'cold',
    why: 'Without a warm-up it measures how cold each server happens to be.',
    gate: 'twins',
    change: {
      'load.js': lines`
        // Short rounds in turn, from the first request on.
        export default {
          users: 4,
          paths: ['/work'],
          durationMs: 50,
          rounds: 6,
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'grows-when-read-again',
    why: 'While it is looked at it says that it is short, and half a second later it is long.',
    by: 'is a load plan',
    change: {
      'load.js': lines`
        const loadedAt = performance.now()
        const settled = () => performance.now() - loadedAt > 400

        export default {
          users: 8,
          paths: ['/work'],
          // Short for a first look, then as long as good figures need.
          get warmUpMs () { return settled() ? 900 : 20 },
          get durationMs () { return settled() ? 350 : 30 },
          get rounds () { return settled() ? 16 : 2 },
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'long-pause',
    why: 'The pause is many times as long as the service, so the users set the rate and not the server.',
    by: 'shows the rate of the server, and not that of the load',
    change: {
      'load.js': lines`
        // Users who think for a while, as users do.
        export default {
          users: 4,
          pauseMs: 40,
          paths: ['/work'],
          warmUpMs: 150,
          durationMs: 160,
          rounds: 4,
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'long-queues',
    why: 'It fits by its own figures, and waits for fifty jobs after each of its short runs.',
    by: 'fits into the time budget',
    change: {
      'load.js': lines`
        // The worker is never idle, and the runs are short.
        export default {
          users: 50,
          paths: ['/work'],
          warmUpMs: 250,
          durationMs: 35,
          rounds: 16,
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'measures-healthz',
    why: 'A path that costs nothing takes as long on the slower server as on the faster one.',
    gate: 'slower server',
    change: {
      'load.js': lines`
        // The address that always answers.
        export default {
          users: 4,
          pauseMs: 5,
          paths: ['/healthz'],
          warmUpMs: 200,
          durationMs: 70,
          rounds: 10,
          figure: 'p50'
        }
      `
    }
  },
  {
    name: 'misspelt-path',
    why: 'Half of the answers are 404, which cost nothing.',
    by: 'measures right answers only',
    change: {
      'load.js': lines`
        // Two addresses in turn.
        export default {
          users: 6,
          paths: ['/work', '/wrok'],
          warmUpMs: 300,
          durationMs: 58,
          rounds: 12,
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'no-users',
    why: 'A load without users measures nothing.',
    by: 'is a load plan',
    change: {
      'load.js': lines`
        // Nobody comes.
        export default {
          users: 0,
          paths: ['/work'],
          durationMs: 50,
          rounds: 10,
          figure: 'mean'
        }
      `
    }
  },
  {
    name: 'one-long-run',
    why: 'Each server is measured in another minute, with other weather, so the figures differ.',
    gate: 'twins',
    change: {
      'load.js': lines`
        // First the one, then the other, as benchmarks are usually run.
        export default {
          users: 8,
          paths: ['/work'],
          warmUpMs: 300,
          durationMs: 690,
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'p99-of-a-few',
    why: 'The 99th percentile of some thirty answers is the slowest one: it shows who met the rare long job.',
    gate: 'twins',
    change: {
      'load.js': lines`
        // Everybody reports the 99th percentile.
        export default {
          rate: 40,
          paths: ['/work'],
          warmUpMs: 300,
          durationMs: 70,
          rounds: 10,
          figure: 'p99'
        }
      `
    }
  },
  {
    name: 'rate-of-an-open-loop',
    why: 'Below capacity, which is higher in good weather, every server answers as many requests/s as it is sent.',
    by: 'shows the rate of the server, and not that of the load',
    change: {
      'load.js': lines`
        // As much traffic as on a usual day.
        export default {
          rate: 120,
          paths: ['/work'],
          warmUpMs: 300,
          durationMs: 170,
          rounds: 4,
          figure: 'rate'
        }
      `
    }
  },
  {
    name: 'script',
    why: 'It exports a function instead of data.',
    by: 'is a load plan',
    change: {
      'load.js': lines`
        // A load generator of its own.
        export default async function load ({ port }) {
          const startedAt = performance.now()
          for (let i = 0; i < 100; i++) await (await fetch(\`http://127.0.0.1:\${port}/work\`)).text()
          return 100 / (performance.now() - startedAt) * 1000
        }
      `
    }
  },
  {
    name: 'shortened-ceiling',
    why: 'Fifty requests over one second are fifty requests/s, on any server that can keep up.',
    by: 'shows the rate of the server, and not that of the load',
    change: {
      'load.js': lines`
        // The published load, cut until it fits.
        export default {
          users: 50,
          requests: 1,
          rampUpMs: 1000,
          paths: ['/work'],
          durationMs: 1000,
          figure: 'rate'
        }
      `
    }
  }
]
