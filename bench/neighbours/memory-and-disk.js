import fs from 'node:fs'
import path from 'node:path'
import { makeTemporary } from '../../runner/process/index.js'

/** Walks through 256 MB of memory and writes 32 MB to disk, again and again. Ends when its parent does. */

const megabyte = 1024 * 1024
const memory = Buffer.alloc(256 * megabyte, 1)
const block = Buffer.alloc(4 * megabyte, 2)
const { dir, remove } = await makeTemporary()
process.send?.('ready')

let sum = 0
async function turn () {
  // Even if the parent ended before there was a listener for that.
  if (!process.connected) {
    await remove()
    process.exit()
  }
  // One byte in each cache line: what the processor's caches held of others is gone.
  for (let i = 0; i < memory.length; i += 64) sum = (sum + memory[i]++) | 0
  const file = fs.openSync(path.join(dir, 'written'), 'w')
  for (let i = 0; i < 8; i++) fs.writeSync(file, block)
  fs.fsyncSync(file)
  fs.closeSync(file)
  setImmediate(turn)
}
turn()
