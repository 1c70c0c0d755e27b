import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { runCheck } from '../../runner/check/index.js'
import { temporaryFolder } from '../temporary.js'

export const root = fileURLToPath(new URL('root/', import.meta.url))
export const solution = path.join(root, 'solutions', '01-mini')
export const slow = path.join(root, 'slow-servers', '01-mini')

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source of server.js, an ES module
 * @param {Record<string, string>} [files]
 */
export function submission (t, source, files = {}) {
  const dir = temporaryFolder(t)
  const all = { 'server.js': source, 'package.json': '{"type":"module"}', ...files }
  for (const [name, content] of Object.entries(all)) fs.writeFileSync(path.join(dir, name), content)
  return dir
}

/** A right and fast server with something added. @param {{ before?: string, handler?: string }} parts */
export function variant ({ before = '', handler = '' }) {
  return `import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
const secret = fs.readFileSync(path.join(process.env.DATA_DIR, 'secret.txt'), 'utf8')
let count = 0
${before}
const server = http.createServer((req, res) => {
  count++
  const n = Number(req.url.slice(1))
  res.setHeader('Content-Type', 'application/json')
  if (!Number.isInteger(n)) {
    res.statusCode = 404
    return res.end('{"error":"not_found"}')
  }
  ${handler}
  res.end(JSON.stringify({ next: n + 1, secret }))
})
server.listen(process.env.PORT, process.env.HOST)
`
}

/** @param {string} dir @param {Partial<Parameters<typeof runCheck>[0]>} [options] @returns the record */
export async function check (dir, options) {
  return (await checkWhole(dir, options)).record
}

/** @param {string} dir @param {Partial<Parameters<typeof runCheck>[0]>} [options] */
export async function checkWhole (dir, options) {
  const entry = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))
  return runCheck({ entry, dir, budgetMs: 8000, sampleInside: false, seed: 'mini', ...options })
}
