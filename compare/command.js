import path from 'node:path'
import { flag, openReports, reportOptions, say, text, wholeNumber } from '../runner/cli/index.js'
import { WorkshopError } from '../runner/shared/errors.js'
import { inTurn } from '../runner/process/index.js'
import { newSeed } from '../runner/shared/random.js'
import { createTerminalReport, jsonReport, sectionsText } from '../runner/report/index.js'
import { shownPath } from '../runner/shared/text.js'
import { compareServers, profileServer, profileServers } from './compare.js'
import { loadOfPaths, readLoadFile } from './load-file.js'
import { folderAt, openRepository, runningAt } from './sides.js'
import { writeLoadFile } from './write-load-file.js'

/**
 * @import { Flag, Given } from '../runner/cli/index.js'
 * @import { ResultRecord } from '../runner/judge/index.js'
 * @import { ToolResult } from '../runner/profiling/index.js'
 * @import { Side } from './sides.js'
 */

const texts = { ...text, multiple: true }
const { junit, github } = reportOptions

/** @type {Record<string, Flag>} */
export const options = {
  path: texts,
  load: text,
  ignore: texts,
  'from-log': text,
  'from-har': text,
  origin: text,
  gate: texts,
  target: text,
  precision: text,
  seconds: { ...text, default: '60' },
  start: text,
  git: flag,
  'url-before': text,
  'url-after': text,
  profile: flag,
  seed: text,
  json: flag,
  junit,
  github
}

export const leastPositionals = 0
export const maxPositionals = 2
export const namesNoCommand = true

export const usage = 'npm run compare -- BEFORE AFTER [--path /movies | --load FILE] [--target 1.2]'

export const help = `Is AFTER faster than BEFORE, by how much, and does it still give the same answers?
Two servers of your own: folders, each started as its package.json says.

  --git REF1 REF2     two commits of this repository instead; . is the folder as it is
  --url-before URL, --url-after URL
                      instead: two servers already running on this machine, in any language
  --start COMMAND     how to start both, such as "node app.js"; they get PORT and HOST
  --path PATH         what to request, as often as you like; default /
  --load FILE         or a load file (docs/compare.md): weights, methods, bodies, logins
  --from-log FILE, --from-har FILE
                      writes such a file from an access log or a HAR file, and compares nothing
  --origin URL        of a HAR file, the requests to this one; default: the one that most went to
  --ignore NAMES      what answers may differ in, such as date,ts: keys, headers, or paths whose bodies may differ
  --gate NAME         what to compare, as often as you like: rate (answers a second, the default), p50 and p99
                      (latencies at a fixed rate), cpu (CPU time per answer), memory (growth per request)
  --target N          decide whether AFTER is N times as good, such as 1.2, or 0.95 for at most 5 % worse;
                      without it the question is how much, until that's known well enough:
  --precision N%      how well, default 5%
  --seconds N         how long it may take, default 60; what's under way then is finished, for at most half a minute,
                      or half as long again
  --profile           instead: record CPU profiles of both, and show what changed: compare-profile/compared.html
  --seed SEED         repeat the requests of an earlier run
  --json              one result record as JSON on standard output, everything else on standard error
  --junit FILE, --github   reports for other systems (docs/automation.md)

Exit code: 0 not slower, or the target is reached; 1 slower, or the target is missed, or other answers;
2 inconclusive; 3 the comparison couldn't be made.`

const exitCodes = { pass: 0, fail: 1, inconclusive: 2, error: 3 }

/** @param {Given} given */
export async function run ({ values, positionals, stdout, stderr, env, signal }) {
  const out = values.json ? stderr : stdout
  if (values['from-log'] !== undefined || values['from-har'] !== undefined) return writeLoad(values, out)
  const compared = {
    ...await sidesOf(values, positionals),
    load: await loadOf(values),
    ignore: (values.ignore ?? []).flatMap((/** @type {string} */ names) => names.split(',')).filter(Boolean),
    gates: values.gate ?? [],
    target: values.target === undefined ? null : numberOf('--target', values.target, { low: 0.1, high: 1000 }),
    precision: values.precision === undefined
      ? undefined
      : numberOf('--precision', values.precision.replace(/\s*%$/, ''), { low: 3, high: 100 }) / 100,
    seconds: wholeNumber('--seconds', values.seconds, 1, 3600),
    seed: values.seed ?? newSeed(),
    signal
  }
  /** @type {Parameters<typeof inTurn>[0]} */
  const turn = { about: { kind: 'compare' }, tell: (sentence) => say(out, sentence), signal }
  if (values.profile) return inTurn(turn, () => profile(compared, out))
  const reports = openReports({ values, env, out })
  /** @type {ResultRecord} */
  let record
  try {
    record = await inTurn(turn, () => showing(compared, out))
    if (values.json) stdout.write(jsonReport(record))
  } finally {
    reports.endText()
  }
  await reports.write([{ record, file: null }])
  return exitCodes[record.verdict]
}

/** @param {Record<string, any>} values @param {Given['stdout']} out */
async function writeLoad ({ 'from-log': log, 'from-har': har, origin, load = 'load.json' }, out) {
  if (log !== undefined && har !== undefined) throw new WorkshopError('Give either --from-log or --from-har.')
  if (origin !== undefined && har === undefined) throw new WorkshopError('--origin is for --from-har.')
  const kind = har === undefined ? 'log' : 'har'
  say(out, ...await writeLoadFile({ kind, source: har ?? log, target: load, origin }))
  return exitCodes.pass
}

/** @param {Record<string, any>} values */
async function loadOf ({ path: paths, load }) {
  if (load === undefined) return loadOfPaths(paths ?? ['/'])
  if (paths !== undefined) throw new WorkshopError('Give either --path or --load: a load file has its own paths.')
  return readLoadFile(load)
}

/** @param {Parameters<typeof compareServers>[0]} compared @param {Given['stdout']} out */
async function profile (compared, out) {
  const given = { folder: path.resolve('compare-profile'), say: (/** @type {string} */ text) => say(out, text) }
  const { sections, report } = await profileServers(compared, given)
  out.write(`\n${sectionsText(sections, { stream: out })}\n\n`)
  if (report !== null) out.write(`Report: ${shownPath(report)}\n`)
  return exitCodes.pass
}

/**
 * `profile DIR`: one server, with any tool that needs nothing of a lesson. Ctrl-C ends the load, and the report comes
 * from what was recorded until then.
 *
 * @param {Pick<Given, 'values' | 'positionals' | 'stdout' | 'signal'> & { seconds: number }} given
 * @returns {Promise<ToolResult & { name: string }>}
 * @throws {WorkshopError}
 */
export async function profileOwn ({ values, positionals: [dir], seconds, stdout, signal }) {
  if (values.server !== undefined || values.compare) {
    throw new WorkshopError('--server and --compare are for a lesson’s server: `compare BEFORE AFTER --profile` ' +
      'shows what changed between two of your own.')
  }
  const side = { ...folderAt(dir), start: values.start }
  const tell = (/** @type {string} */ sentence) => say(stdout, sentence)
  const given = { tool: values.tool, all: values.all, seconds, folder: path.resolve('profile-report'), say: tell }
  return inTurn({ about: `profile of ${side.name}`, tell, signal }, async () => {
    // Nothing of it stops at once: the command line gives it some seconds for its report, and then ends it all.
    const signals = { signal: new AbortController().signal, enough: signal }
    const options = { side, load: await loadOf(values), seed: values.seed ?? newSeed(), ...signals }
    return { ...await profileServer(options, given), name: side.name }
  })
}

/** @param {Parameters<typeof compareServers>[0]} compared @param {Given['stdout']} out */
async function showing (compared, out) {
  const [before, after] = compared.sides
  const report = createTerminalReport({
    stream: out,
    run: {
      lesson: { id: 'comparison', number: 0, title: `${after.name}, compared with ${before.name}` },
      submission: compared.load.requests.map(({ path }) => path).join(' '),
      seed: compared.seed
    }
  })
  try {
    const record = await compareServers({ ...compared, onProgress: report.onProgress })
    report.finish(record)
    return record
  } catch (error) {
    if (compared.signal.aborted) report.interrupt('Stopped. Nothing is left running.')
    throw error
  } finally {
    report.stop()
  }
}

/**
 * @param {Record<string, any>} values
 * @param {string[]} positionals
 * @returns {Promise<{ sides: [Side, Side], notes: string[] }>}
 */
async function sidesOf ({ git, start, 'url-before': urlBefore, 'url-after': urlAfter }, positionals) {
  if (urlBefore !== undefined || urlAfter !== undefined) {
    if (urlBefore === undefined || urlAfter === undefined || git || positionals.length > 0) {
      throw new WorkshopError('Give both addresses, --url-before and --url-after, and nothing else to compare.')
    }
    const before = runningAt(urlBefore, { flag: '--url-before', role: 'baseline' })
    const after = runningAt(urlAfter, { flag: '--url-after', role: 'yours' })
    if (before.running?.port === after.running?.port) {
      throw new WorkshopError(`Both addresses lead to one server, ${before.name}: let the other one listen elsewhere.`)
    }
    return { sides: [before, after], notes: [] }
  }
  if (positionals.length < 2) {
    throw new WorkshopError(`Say which two ${git ? 'commits' : 'folders'} to compare, the original first: ${usage}`)
  }
  const { sides: [before, after], notes } = git
    ? await openRepository(positionals, process.cwd())
    : { sides: positionals.map(folderAt), notes: [] }
  const marks = before.name === after.name ? [' (before)', ' (after)'] : ['', '']
  return {
    sides: [{ ...before, start, name: before.name + marks[0] }, { ...after, start, name: after.name + marks[1] }],
    notes
  }
}

/** @param {string} flag @param {string} given @param {{ low: number, high: number }} range */
function numberOf (flag, given, { low, high }) {
  const value = Number(given)
  if (given.trim() !== '' && value >= low && value <= high) return value
  throw new WorkshopError(`${flag} takes a number from ${low} to ${high}, got ${given}.`)
}
