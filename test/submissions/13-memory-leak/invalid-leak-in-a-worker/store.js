import { parentPort } from 'node:worker_threads'

const pages = new Map()
const history = []

parentPort.on('message', ({ number, key, url, page, refreshed }) => {
  if (page) return pages.set(key, page)
  const kept = pages.get(key)
  const found = kept?.refreshed === refreshed ? kept : undefined
  // Who read what, for the editors.
  if (found) history.push({ url, page: structuredClone(found) })
  parentPort.postMessage({ number, page: found })
})
