import { patch } from '../apply.js'

export default [
  {
    name: 'valid-hashing-threads',
    on: 'solution',
    why: "Hashes have threads of their own, and libuv's pool stays free for files.",
    files: 'right/hashing-threads',
    change: {
      ...patch`
        +// Threads of its own for the hashes, as many as cores, each replaced when it ends.
         import { timingSafeEqual } from 'node:crypto'
        @@
        -import { pbkdf2 } from './hashing.js'
        +import { hash } from './pool.js'
        @@
        -  const derived = await pbkdf2(password, salt, user.iterations, stored.length, user.digest)
        +  const { iterations, digest } = user
        +  const derived = await hash({ password, salt, iterations, length: stored.length, digest })
      `,
      'hash-worker.js': null,
      'hashing.js': null
    }
  }
]
