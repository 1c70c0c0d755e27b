import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { compareServers, loadOfPaths } from '../compare/index.js'
import { selfTestEntry } from '../runner/check/self-test/self-test.js'
import { makeTemporary, withSession } from '../runner/process/index.js'
import { newSeed } from '../runner/shared/random.js'
import { aboutRun } from './about.js'
import { runAb } from './tools/ab.js'
import { isInstalled } from './tools/run.js'
import { openRuns } from './tools/runs.js'
import { runWrk } from './tools/wrk.js'

/**
 * Public servers that we didn't write, from the npm registry, each in two versions, and frameworks with one route set:
 * what `compare` says, next to single runs of wrk and ab. `npm run measure compare-public -- [--seconds 60]
 * [--servers http-server,express,…] [--tool-seconds 10] [--runs 1] [--out FILE]`. It installs them into a temporary
 * folder, and takes about two minutes a pair. Without wrk and ab (Debian's wrk and apache2-utils) their columns stay
 * empty. Measure alone.
 *
 * @import { Side } from '../compare/index.js'
 *
 * @typedef {object} Public
 * @property {[string, string]} packages
 * @property {(bin: string, name: string) => string} start bin: the package's program
 * @property {string[]} paths
 * @property {string[]} [ignore]
 *
 * @typedef {Side & { start: string, dir: () => string }} Installed
 */

const { values } = parseArgs({
  options: {
    servers: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    'tool-seconds': { type: 'string', default: '10' },
    runs: { type: 'string', default: '1' },
    out: { type: 'string' }
  }
})
const connections = 16
const ofRouteSet = {
  start: (/** @type {string} */ bin, /** @type {string} */ name) => `node route-set.mjs ${name}`,
  paths: ['/movies', '/movies/7', '/years/1960?limit=2']
}
/** @type {Record<string, Public>} */
const publicServers = {
  'http-server': {
    packages: ['http-server@0.12.3', 'http-server@14.1.1'],
    start: (bin) => `node ${bin} site -a 127.0.0.1 -p $PORT -s -c-1`,
    paths: ['/page.html', '/data.json'],
    ignore: ['cache-control', 'etag', 'content-type']
  },
  serve: {
    packages: ['serve@11.3.2', 'serve@14.2.5'],
    start: (bin) => `NO_UPDATE_CHECK=1 node ${bin} -n -l tcp://127.0.0.1:$PORT site`,
    paths: ['/data.json'],
    ignore: ['cache-control', 'etag', 'vary', 'content-disposition']
  },
  'json-server': {
    packages: ['json-server@0.15.1', 'json-server@0.17.4'],
    start: (bin) => `node ${bin} --host 127.0.0.1 --port $PORT --quiet data.json`,
    paths: ['/movies', '/movies/7'],
    ignore: ['cache-control', 'etag', 'vary']
  },
  express: { packages: ['express@4.22.3', 'express@5.3.0'], ...ofRouteSet },
  restify: { packages: ['restify@11.1.0', 'restify@12.0.0'], ...ofRouteSet },
  fastify: { packages: ['express@5.3.0', 'fastify@5.12.8'], ...ofRouteSet, ignore: ['etag'] }
}
const names = values.servers?.split(',') ?? Object.keys(publicServers)
const [seconds, toolSeconds, count] = [values.seconds, values['tool-seconds'], values.runs].map(Number)
if (![seconds, toolSeconds, count].every((value) => value > 0) ||
  !names.every((name) => Object.hasOwn(publicServers, name))) {
  console.error('--seconds, --tool-seconds and --runs take numbers, --servers ' +
    `${Object.keys(publicServers).join(', ')}.`)
  process.exit(3)
}
const exec = promisify(execFile)
const signal = new AbortController().signal
const tools = { wrk: runWrk, ab: runAb }
const installed = { wrk: await isInstalled('wrk', ['--version']), ab: await isInstalled('ab', ['-V']) }
const runs = openRuns(values.out)
const { dir: scratch, remove } = await makeTemporary()

console.log(`${aboutRun()}, ${connections} connections, compare at most ${seconds} s, wrk and ab ${toolSeconds} s\n`)
console.log('| before → after | compare | ratio (95 %) | s | wrk, requests/s | ratio | ab, requests/s | ratio |')
console.log(`|${'---|'.repeat(8)}`)
try {
  for (const name of names) await row(publicServers[name])
} finally {
  await remove()
}

/** @param {Public} given */
async function row (given) {
  const { packages, paths, ignore } = given
  const sides = await Promise.all(packages.map((package_) => install(package_, given)))
  const [before, after] = sides
  const what = { packages, paths, seconds, toolSeconds }
  const results = await runs.gather(what, count, async () => {
    const record = await compareServers({
      sides: [before, after],
      load: { ...loadOfPaths(paths), connections },
      ignore,
      gates: ['rate'],
      target: null,
      seconds,
      seed: newSeed(),
      signal
    })
    const { comparison, gates: [gate], durationMs, reason, verdict } = record
    const rates = (/** @type {'wrk' | 'ab'} */ tool) => verdict === 'error' ? null : ratesOf(tool, sides, paths)
    return {
      says: comparison?.says,
      reason,
      ratio: gate?.ratio ?? null,
      interval: gate?.interval95 ?? null,
      seconds: durationMs / 1000,
      wrk: await rates('wrk'),
      ab: await rates('ab')
    }
  })
  for (const { says, reason, ratio, interval, seconds, wrk, ab } of results) {
    const known = ratio === null ? reason : `${times(ratio)} (${interval?.map(times).join(' to ') ?? '–'})`
    console.log(`| ${[packages.join(' → '), says, known, Math.round(seconds), ...cellsOf(wrk), ...cellsOf(ab)]
      .join(' | ')} |`)
  }
}

/** @param {string} package_ with its version @param {Public} given @returns {Promise<Installed>} */
async function install (package_, { start }) {
  const [name] = package_.split('@')
  const dir = path.join(scratch, package_)
  fs.mkdirSync(path.join(dir, 'site'), { recursive: true })
  fs.writeFileSync(path.join(dir, 'package.json'), '{"private": true}')
  await exec('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', package_],
    { cwd: dir, timeout: 180_000 })
  const movies = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, title: `Movie ${i + 1}`, year: 1950 + i % 70 }))
  fs.writeFileSync(path.join(dir, 'data.json'), JSON.stringify({ movies }))
  fs.writeFileSync(path.join(dir, 'site', 'data.json'), JSON.stringify(movies))
  const page = `<!doctype html><title>Movies</title>${'<p>Movie</p>'.repeat(300)}`
  fs.writeFileSync(path.join(dir, 'site', 'page.html'), page)
  fs.copyFileSync(new URL('tools/route-set.mjs', import.meta.url), path.join(dir, 'route-set.mjs'))
  const folder = path.join('node_modules', name)
  const { bin } = JSON.parse(fs.readFileSync(path.join(dir, folder, 'package.json'), 'utf8'))
  const file = path.join(folder, (typeof bin === 'object' ? bin[name] : bin) ?? '')
  return { name: package_, dir: () => dir, start: start(file, name) }
}

/**
 * A single run of each, one after the other.
 *
 * @param {'wrk' | 'ab'} tool
 * @param {Installed[]} sides
 * @param {string[]} paths
 */
async function ratesOf (tool, sides, paths) {
  if (!installed[tool]) return null
  const items = paths.map((path) => ({ path, check: () => undefined }))
  const rates = []
  for (const side of sides) {
    rates.push(await withSession(selfTestEntry(), { seed: newSeed(), signal }, async (session) => {
      const through = () => ({ args: [], shell: side.start, cwd: side.dir() })
      const options = { through, readyTimeoutMs: 30_000, called: side.start }
      const { server, failure } = await session.start('yours', { dir: side.dir(), shownDir: side.name }, options)
      if (server === null) throw new Error(failure)
      const given = { port: server.port, connections, items, scratch: session.scratch }
      await tools[tool]({ ...given, seconds: 2 })
      return tools[tool]({ ...given, seconds: toolSeconds }).then(({ rate }) => rate, () => null)
    }))
  }
  return rates
}

/** @param {(number | null)[] | null} rates */
function cellsOf (rates) {
  const [before = null, after = null] = rates ?? []
  if (before === null || after === null) return ['–', '–']
  return [`${Math.round(before)} → ${Math.round(after)}`, times(after / before)]
}

/** @param {number} ratio */
function times (ratio) {
  return `${ratio.toFixed(2)}×`
}
