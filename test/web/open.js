import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { startWeb } from '../../runner/web/index.js'
import { saveResult } from '../../runner/workspace/index.js'
import { root, solution } from '../check/mini.js'
import { gate, passed } from '../report/records.js'
import { makeFolder } from '../temporary.js'

/**
 * @import { CheckProgress, ResultRecord } from '../../runner/judge/index.js'
 * @import { Done, HandlerGiven, Handlers } from '../../runner/web/job-handlers.js'
 *
 * @typedef {object} Opened
 * @property {string} url
 * @property {() => string} newLink
 * @property {import('playwright-core').BrowserContextOptions} signedIn for a browser that is known already
 * @property {NodeJS.ProcessEnv} env for commands that run with it
 * @property {(method: string, path: string, options?: Asking) => Promise<Answer>} ask as a page of ours would
 * @property {(place?: string) => Promise<Heard>} listen to the parts of the page at that address
 * @property {() => Promise<Opened>} restart closes it, and opens it again on the same workspace
 *
 * @typedef {{ body?: unknown, headers?: Record<string, string> }} Asking body: an object is sent as JSON
 * @typedef {{ status: number, headers: http.IncomingHttpHeaders, text: string, json: () => any }} Answer
 *
 * @typedef {Record<string, string>} Parts as the page shows them at a moment
 * @typedef {object} Heard
 * @property {(name: string, text: RegExp) => Promise<Parts>} until that part has such a text, if need be at once
 * @property {() => Parts} now
 * @property {() => void} close
 */

/**
 * The workshop with the mini lesson, open for one test.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} [lessons]
 * @param {Pick<Parameters<typeof startWeb>[0], 'handlers' | 'examiner'>} [doing] instead of what measures
 * @returns {Promise<Opened>}
 */
export async function openWeb (t, lessons = root, doing = {}) {
  const { dir, remove } = makeFolder()
  const workspace = path.join(dir, 'workspace')
  const env = {
    ...process.env,
    MAKE_IT_FAST_LESSONS: lessons,
    MAKE_IT_FAST_WORKSPACE: workspace,
    VISUAL: '',
    EDITOR: ''
  }
  let close = async () => {}
  // A check that was settled is still kept while it closes: the folder goes last.
  t.after(() => close().finally(remove))
  /** @returns {Promise<Opened>} */
  const start = async () => {
    const web = await startWeb({ env, signal: new AbortController().signal, ...doing })
    close = web.close
    return { ...await openPage(t, web), env, restart: () => web.close().then(start) }
  }
  return start()
}

/**
 * @param {import('node:test').TestContext} t
 * @param {{ url: string, newLink: () => string }} web
 * @returns {Promise<Omit<Opened, 'env' | 'restart'>>}
 */
async function openPage (t, { url, newLink }) {
  const Cookie = await signIn(url, newLink())
  const home = await send(url, 'GET', '/', { headers: { Cookie } })
  const [, token] = /<meta name="token" content="([^"]+)">/.exec(home.text) ?? []
  assert.ok(token, 'the page carries the token')
  return {
    url,
    newLink,
    signedIn: signedIn(url, Cookie),
    ask: (method, place, { body, headers = {} } = {}) =>
      send(url, method, place, { body, headers: { Cookie, 'X-Token': token, ...headers } }),
    listen: (place = '') => listen(t, `${url}api/parts${place}`, { Cookie, 'X-Token': token })
  }
}

/** @param {string} url @param {string} link of `npm start` @returns {Promise<string>} the cookie, `name=value` */
export async function signIn (url, link) {
  const { headers } = await send(url, 'GET', link.slice(new URL(link).origin.length))
  return String(headers['set-cookie']).split(';')[0]
}

/** @param {string} url @param {string} cookie @returns {import('playwright-core').BrowserContextOptions} */
export function signedIn (url, cookie) {
  const [name, value] = cookie.split('=')
  const { hostname: domain } = new URL(url)
  const known = { path: '/', expires: -1, httpOnly: true, secure: false }
  return { storageState: { cookies: [{ name, value, domain, ...known, sameSite: 'Strict' }], origins: [] } }
}

/**
 * Makes the learner's copy of the mini lesson, and puts the solution into it.
 *
 * @param {Pick<Opened, 'ask' | 'env'>} web
 * @returns {Promise<string>} the file
 */
export async function takeSolution ({ ask, env }) {
  // It opens no editor here, and makes the copy all the same.
  await ask('POST', '/api/lessons/mini/open')
  const copy = path.join(String(env.MAKE_IT_FAST_WORKSPACE), '01-mini', 'server.js')
  fs.copyFileSync(path.join(solution, 'server.js'), copy)
  return copy
}

/**
 * A job that the test itself plays. It has begun as soon as `begun` has what a handler gets, and ends with `end`.
 *
 * @returns {{ handler: Handlers['check'], begun: Promise<HandlerGiven & { end: (done: Done) => void }> }}
 */
export function playedJob () {
  let begin = (/** @type {any} */ _given) => {}
  return {
    begun: new Promise((resolve) => { begin = resolve }),
    handler: (given) => new Promise((resolve, reject) => {
      given.signal.addEventListener('abort', () => reject(given.signal.reason))
      given.onStart()
      begin({ ...given, end: resolve })
    })
  }
}

/** @param {number} number @returns {CheckProgress} */
export function roundEvent (number) {
  return { type: 'round', round: { ...passed().rounds[0], number }, gates: [gate({})], elapsedMs: 1000 * number }
}

/** A check of the mini lesson that has passed, kept as a real one is. @param {Pick<HandlerGiven, 'entry'>} given */
export async function keptPass ({ entry }) {
  const { id, number, lesson: { title } } = entry
  /** @type {ResultRecord} */
  const record = { ...passed(), lesson: { id, number, title }, startedAt: new Date().toISOString() }
  await saveResult(entry, record)
  return { message: '', record }
}

/**
 * By hand, since fetch sends what it takes for right.
 *
 * @param {string} url
 * @param {string} method
 * @param {string} place
 * @param {Asking} [asking]
 * @returns {Promise<Answer>}
 */
export function send (url, method, place, { body, headers = {} } = {}) {
  const { hostname, port } = new URL(url)
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const req = http.request({ hostname, port, method, path: place, headers }, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (more) => { text += more }).on('error', reject)
        .on('end', () => resolve({
          status: res.statusCode ?? 0, headers: res.headers, text, json: () => JSON.parse(text)
        }))
    })
    req.on('error', reject).end(sent)
  })
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} url
 * @param {Record<string, string>} headers
 * @returns {Promise<Heard>}
 */
async function listen (t, url, headers) {
  const controller = new AbortController()
  t.after(() => controller.abort())
  const res = await fetch(url, { headers, signal: controller.signal })
  assert.equal(res.headers.get('content-type'), 'text/event-stream')
  /** @type {Parts} */
  let parts = {}
  let wake = () => {}
  const read = async () => {
    let rest = ''
    for await (const text of /** @type {any} */ (res.body).pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) parts = { ...parts, ...JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') }
      wake()
    }
  }
  read().catch(() => {})
  while (Object.keys(parts).length === 0) await new Promise((resolve) => { wake = () => resolve(undefined) })
  return {
    now: () => parts,
    until: async (name, text) => {
      while (!text.test(parts[name] ?? '')) await new Promise((resolve) => { wake = () => resolve(undefined) })
      return parts
    },
    close: () => controller.abort()
  }
}
