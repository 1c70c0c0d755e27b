// Measures how many passwords libuv's pool hashes in a second: UV_THREADPOOL_SIZE=4 node hashes.js

import { pbkdf2 } from 'node:crypto'

const count = 32
const start = performance.now()
let left = count

for (let i = 0; i < count; i++) {
  pbkdf2('password', 'salt', 10_000, 512, 'sha512', () => {
    left--
    if (left === 0) console.log(Math.round(1000 * count / (performance.now() - start)), 'hashes per second')
  })
}
