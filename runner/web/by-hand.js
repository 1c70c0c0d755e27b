import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { refuse } from '../http/index.js'
import { formatNumber, html, marks } from '../report/index.js'
import { withSession } from '../process/index.js'
import { plainBody } from '../shared/http-fields.js'
import { sizedSeed } from '../shared/random.js'
import { workshopRoot } from '../shared/workshop.js'

/**
 * What a text has its reader send by hand: autocannon's load, curl's requests and a lesson's scripts go to the server
 * that they've started, and the requests of a failed check to both servers. No shell is involved.
 *
 * @import { ParseArgsConfig } from 'node:util'
 * @import { ContractResult, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Html } from '../report/index.js'
 *
 * @typedef {object} ByHand
 * @property {'autocannon' | 'curl' | 'node'} tool
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} [body]
 * @property {string} [input] the name of a file in the lesson's folder, whose content is the body
 * @property {number} [amount] of requests
 * @property {number} [connections]
 * @property {number} [duration] s
 * @property {number} [overallRate] requests/s
 * @property {string[]} [args] of node
 */

/** @satisfies {Record<string, ParseArgsConfig['options']>} */
const flags = {
  autocannon: {
    amount: { type: 'string', short: 'a' },
    connections: { type: 'string', short: 'c' },
    duration: { type: 'string', short: 'd' },
    overallRate: { type: 'string', short: 'R' },
    method: { type: 'string', short: 'm' },
    headers: { type: 'string', short: 'H', multiple: true },
    input: { type: 'string', short: 'i' }
  },
  curl: {
    method: { type: 'string', short: 'X' },
    headers: { type: 'string', short: 'H', multiple: true },
    body: { type: 'string', short: 'd' },
    head: { type: 'boolean', short: 'I' },
    // What they do to the output has no counterpart here.
    include: { type: 'boolean', short: 'i' },
    silent: { type: 'boolean', short: 's' },
    output: { type: 'string', short: 'o' },
    'write-out': { type: 'string', short: 'w' },
    'create-dirs': { type: 'boolean' },
    compressed: { type: 'boolean' }
  }
}

const mostSeconds = 60

/**
 * @param {string} line of a text, or of a failed check
 * @returns {ByHand | null} null: it can't be done here, because of its flags, or because something has to be filled in
 */
export function byHandOf (line) {
  const args = scriptOf(line)
  if (args !== null) return { tool: 'node', method: '', path: '', headers: {}, args }
  const words = wordsOf(line)
  if (words[0] === 'npx') words.shift()
  const tool = words.shift()
  if ((tool !== 'autocannon' && tool !== 'curl') || line.includes('…')) return null
  try {
    const { values, positionals } = parseArgs({ args: words, options: flags[tool], allowPositionals: true })
    const [url = '', ...surplus] = positionals
    const [, place] = /^http:\/\/127\.0\.0\.1:(?:\$?PORT|\d+)(\/.*)$/.exec(url) ?? []
    if (place === undefined || surplus.length > 0 || /=[A-Z]{3,}(&|$)/.test(place)) return null
    const { headers = [], method, body, head, input, ...rest } = /** @type {Record<string, any>} */ (values)
    const numbers = ['amount', 'connections', 'duration', 'overallRate'].flatMap((name) =>
      rest[name] === undefined ? [] : [[name, Number(rest[name])]])
    if (numbers.some(([, value]) => !(Number(value) > 0))) return null
    return {
      tool,
      method: method ?? (head ? 'HEAD' : body === undefined ? 'GET' : 'POST'),
      path: place,
      headers: Object.fromEntries(headers.map((/** @type {string} */ header) => header.split(/:\s*(.*)/s).slice(0, 2))),
      ...body !== undefined && { body },
      ...input !== undefined && { input: path.basename(input) },
      ...Object.fromEntries(numbers)
    }
  } catch {
    return null
  }
}

/** Some scripts have a name. @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(path.join(workshopRoot, 'package.json'), 'utf8'))

/** Of a lesson: `node lessons/02-leaking-listeners/latency.js URL`, `npm run send 400 3`. @param {string} line */
function scriptOf (line) {
  const [, name = '', rest = ''] = /^npm run ([\w-]+)(.*)$/.exec(line) ?? []
  const [node, file = '', ...args] = wordsOf(name === '' ? line : `${scripts[name]}${rest}`)
  return node === 'node' && /^lessons\/[\w-]+\/[\w-]+\.js$/.test(file) ? [file, ...args] : null
}

/** As a shell splits and unquotes it. @param {string} line @returns {string[]} */
function wordsOf (line) {
  /** @type {string[]} */
  const words = []
  let isNew = true
  for (const [, single, double, escaped, plain] of
    line.matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)|\s+/g)) {
    const part = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain
    if (part !== undefined) words.push(isNew ? part : words.pop() + part)
    isNew = part === undefined
  }
  return words
}

/**
 * What autocannon is given.
 *
 * @param {ByHand} command
 * @param {LoadedLesson} entry
 * @param {string} url of the server
 * @returns {Promise<import('autocannon').Options>}
 */
export async function loadOptions ({ tool, path: place, input, duration = 10, ...rest }, { dir }, url) {
  const body = input === undefined ? undefined : await fs.readFile(path.join(dir, input), 'utf8')
  const method = /** @type {'GET'} */ (rest.method)
  return { ...rest, method, body, duration: Math.min(duration, mostSeconds), url: url + place }
}

/** @param {import('../load/index.js').Loaded} loaded */
export function sayLoad ({ mean, p99, non2xx, errors }) {
  const [shownMean, shownP99] = [mean, p99].map((figure) => formatNumber(figure, marks.none))
  const wrong = [non2xx > 0 ? `${non2xx} not 2xx` : '', errors > 0 ? `${errors} without a response` : '']
  return [`mean ${shownMean} ms`, `p99 ${shownP99} ms`, ...wrong].filter(Boolean).join(', ')
}

const mostMs = 30_000
const mostBytes = 1e6

/**
 * @typedef {{ status: number, headers: [string, string][], text: string, ms: number }} Response text: its beginning
 *
 * @param {string} origin `http://127.0.0.1:41953`
 * @param {Pick<ByHand, 'method' | 'path' | 'headers' | 'body'>} request
 * @returns {Promise<Response>}
 * @throws with a status: there was no response
 */
export async function sendOne (origin, { method, path, headers, body }) {
  const { hostname, port } = new URL(origin)
  const startedAt = performance.now()
  /** @type {http.IncomingMessage} */
  const res = await new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(mostMs)
    const own = body === undefined ? headers : { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }
    http.request({ hostname, port, method, path, headers: own, signal }, resolve).on('error', reject).end(body)
  }).catch(({ message }) => { throw refuse(409, `There was no response (${message}).`) })
  /** @type {Buffer[]} */
  const chunks = []
  let bytes = 0
  for await (const chunk of res) if ((bytes += chunk.length) < mostBytes) chunks.push(chunk)
  const text = plainBody({ headers: res.headers, body: Buffer.concat(chunks) })
  const isText = !/^(image|audio|video|font)\//.test(res.headers['content-type'] ?? '')
  return {
    status: res.statusCode ?? 0,
    headers: Object.entries(res.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => /** @type {[string, string]} */ ([name, one]))),
    text: isText ? text.toString() : `(${bytes} bytes)`,
    ms: performance.now() - startedAt
  }
}

/** @param {Response} response */
export function sayResponse ({ status, text, ms }) {
  return `${status} after ${formatNumber(ms, marks.none)} ms${text === '' ? '' : `: ${text.slice(0, 200)}`}`
}

/**
 * Sends the requests of a failed check to fresh servers, the slow one and the learner's, one after the other.
 *
 * @param {LoadedLesson} entry
 * @param {ResultRecord} record
 * @param {ContractResult} check
 * @returns {Promise<Html>} what both responded
 */
export async function sendToBoth (entry, { seed, machine }, { requests = [] }) {
  const signal = AbortSignal.timeout(2 * mostMs)
  return withSession(entry, { seed: sizedSeed(seed, machine.work), signal }, async (session) => {
    const both = await Promise.all([
      session.start('baseline', session.baseline), session.start('yours', session.openSubmission(entry.workspaceDir))
    ])
    const broken = both.find(({ failure }) => failure !== null)
    if (broken) throw refuse(409, `A server didn’t start: ${broken.failure}`)
    const parts = []
    for (const line of requests) {
      const command = byHandOf(line)
      if (command === null) {
        parts.push(html`<p class="soft">${line.startsWith('#') ? line.slice(2) : `not sent: ${line}`}</p>`)
        continue
      }
      const [slow, yours] = await Promise.all(both.map(({ server }) => sendOne(String(server?.origin), command)))
      parts.push(html`<p><code>${command.method} ${command.path}</code></p>${bothHtml(slow, yours)}`)
    }
    return html`${parts}`
  })
}

/** They differ from one response to the next, and not by what a check is about. */
const ownOfEach = ['date', 'connection', 'keep-alive', 'content-length', 'x-powered-by']
const longestLine = 600

/** @param {Response} slow @param {Response} yours */
function bothHtml (slow, yours) {
  const [left, right] = [slow, yours].map(({ status, headers, text }) => [
    `status ${status}`,
    ...headers.filter(([name]) => !ownOfEach.includes(name)).map(([name, value]) => `${name}: ${value}`).sort(),
    ...text.split(/\r?\n/).map((line) => line.slice(0, longestLine))
  ])
  const shown = (/** @type {string[]} */ own, /** @type {string[]} */ other) => html`<pre><code>${own.map((line, at) =>
    html`${at === 0 ? '' : '\n'}${other.includes(line) ? line : html`<mark>${line}</mark>`}`)}</code></pre>`
  return html`<div class="both"><div><p class="soft">slow, ${formatNumber(slow.ms, marks.none)} ms</p>${
    shown(left, right)}</div><div><p class="soft">yours, ${formatNumber(yours.ms, marks.none)} ms</p>${
    shown(right, left)}</div></div>`
}
