import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { calibratedEntry } from '../runner/check/index.js'
import { compareServers, loadOfPaths } from '../runner/compare/index.js'
import { newSeed } from '../runner/random.js'
import { withSession } from '../runner/session/index.js'
import { makeTemporary } from '../runner/system/index.js'
import { aboutRun } from './about.js'
import { runAb } from './tools/ab.js'
import { isInstalled } from './tools/run.js'
import { openRuns } from './tools/runs.js'
import { runWrk } from './tools/wrk.js'

/**
 * Public servers that we didn't write, each in two versions, from the npm registry: what `compare` says, next to single
 * runs of wrk and ab. `npm run measure compare-public -- [--servers http-server,serve,json-server] [--seconds 60]
 * [--tool-seconds 10] [--runs 1] [--out FILE]`. It installs them into a temporary folder, and takes about two minutes a
 * server. wrk and ab are Debian's packages wrk and apache2-utils; without them their columns stay empty. Measure alone.
 *
 * @import { Side } from '../runner/compare/index.js'
 *
 * @typedef {object} Public
 * @property {[string, string]} versions
 * @property {(bin: string) => string} start bin: its program
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
/** @type {Record<string, Public>} */
const publicServers = {
  'http-server': {
    versions: ['0.12.3', '14.1.1'],
    start: (bin) => `node ${bin} site -a 127.0.0.1 -p $PORT -s -c-1`,
    paths: ['/page.html', '/data.json'],
    ignore: ['cache-control', 'etag', 'content-type']
  },
  serve: {
    versions: ['11.3.2', '14.2.5'],
    start: (bin) => `NO_UPDATE_CHECK=1 node ${bin} -n -l tcp://127.0.0.1:$PORT site`,
    paths: ['/data.json'],
    ignore: ['cache-control', 'etag', 'vary', 'content-disposition']
  },
  'json-server': {
    versions: ['0.15.1', '0.17.4'],
    start: (bin) => `node ${bin} --host 127.0.0.1 --port $PORT --quiet data.json`,
    paths: ['/movies', '/movies/7'],
    ignore: ['cache-control', 'etag', 'vary']
  }
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
console.log('| server | versions | compare | ratio (95 %) | s | wrk, requests/s | ratio | ab, requests/s | ratio |')
console.log(`|${'---|'.repeat(9)}`)
try {
  for (const name of names) await row(name, publicServers[name])
} finally {
  await remove()
}

/** @param {string} name @param {Public} given */
async function row (name, given) {
  const { versions, paths, ignore } = given
  /** @type {Installed[]} */
  const sides = []
  for (const version of versions) sides.push(await install(name, version, given))
  const [before, after] = sides
  const what = { name, versions, seconds, toolSeconds }
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
    const { comparison, gates: [gate], durationMs, reason } = record
    return {
      says: comparison?.says,
      reason,
      ratio: gate?.ratio ?? null,
      interval: gate?.interval95 ?? null,
      seconds: durationMs / 1000,
      wrk: await ratesOf('wrk', sides, paths),
      ab: await ratesOf('ab', sides, paths)
    }
  })
  for (const { says, reason, ratio, interval, seconds, wrk, ab } of results) {
    const known = ratio === null ? reason : `${times(ratio)} (${interval?.map(times).join(' to ') ?? '–'})`
    console.log(`| ${[name, versions.join(' → '), says, known, Math.round(seconds), ...cellsOf(wrk), ...cellsOf(ab)]
      .join(' | ')} |`)
  }
}

/** @param {string} name @param {string} version @param {Public} given @returns {Promise<Installed>} */
async function install (name, version, { start }) {
  const dir = path.join(scratch, `${name}-${version}`)
  fs.mkdirSync(path.join(dir, 'site'), { recursive: true })
  fs.writeFileSync(path.join(dir, 'package.json'), '{"private": true}')
  await exec('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`],
    { cwd: dir, timeout: 180_000 })
  const movies = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, title: `Movie ${i + 1}`, year: 1950 + i % 70 }))
  fs.writeFileSync(path.join(dir, 'data.json'), JSON.stringify({ movies }))
  fs.writeFileSync(path.join(dir, 'site', 'data.json'), JSON.stringify(movies))
  const page = `<!doctype html><title>Movies</title>${'<p>Movie</p>'.repeat(300)}`
  fs.writeFileSync(path.join(dir, 'site', 'page.html'), page)
  const package_ = path.join('node_modules', name)
  const { bin } = JSON.parse(fs.readFileSync(path.join(dir, package_, 'package.json'), 'utf8'))
  const file = path.join(package_, typeof bin === 'string' ? bin : bin[name])
  return { name: `${name} ${version}`, dir: () => dir, start: start(file) }
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
    rates.push(await withSession(calibratedEntry(), { seed: newSeed(), signal }, async (session) => {
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
