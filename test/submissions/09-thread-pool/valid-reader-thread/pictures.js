import { Worker } from 'node:worker_threads'

const asked = new Map()
let lastId = 0
const reader = new Worker(new URL('reader.js', import.meta.url))

reader.on('message', ({ id, picture }) => {
  asked.get(id)(picture && { ...picture, bytes: Buffer.from(picture.bytes) })
  asked.delete(id)
})

/** @returns {Promise<{ bytes: Buffer, etag: string, modified: string } | undefined>} */
export function readPicture (name) {
  return new Promise((resolve) => {
    asked.set(++lastId, resolve)
    reader.postMessage({ id: lastId, name })
  })
}
