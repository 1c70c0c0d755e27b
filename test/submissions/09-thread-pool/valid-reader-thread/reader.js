import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'

// Synchronous calls do not use the thread pool, and nobody else waits for this thread.
parentPort.on('message', ({ id, name }) => {
  parentPort.postMessage({ id, picture: read(join(process.env.DATA_DIR ?? '.', `${name}.png`)) })
})

function read (file) {
  let fd
  try {
    fd = openSync(file)
    const { ino, size, mtimeMs, mtime } = fstatSync(fd)
    return {
      bytes: readFileSync(fd),
      etag: `"${[ino, size, mtimeMs].map((n) => n.toString(36)).join('-')}"`,
      modified: mtime.toUTCString()
    }
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
