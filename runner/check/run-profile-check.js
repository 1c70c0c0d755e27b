import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createRandom } from '../catalogue/index.js'
import { judgeGate, newEvidence } from '../judge/index.js'
import { isLargerSlower, problemsOfProfile, readProfile, startSender, timeOfProfile, unitOf } from '../load-profile/index.js'
import { describeMachine } from '../machine/index.js'
import { openSubmission } from '../server/index.js'
import { createCrew } from './crew.js'
import { prepareRun } from './prepare.js'
import { decideOnProfile } from './profile-verdict.js'

/**
 * @typedef {import('../judge/record.js').ResultRecord} ResultRecord
 * @typedef {import('../judge/record.js').RoundResult} RoundResult
 * @typedef {import('../judge/gate.js').Observation} Observation
 * @typedef {import('../load-profile/profile.js').LoadProfile} LoadProfile
 */

/** After so many comparisons it is inconclusive. */
const mostComparisons = 8
const longestCheckMs = 28_000

export const profileChecks = { isProfile: 'is a profile', fits: 'fits into the time budget', right: 'measures right answers only' }

/**
 * Grades a load profile: does it tell a slower server from a faster one, and find nothing between two identical ones?
 * The servers are started anew for each comparison, and stopped whatever happens.
 *
 * @param {import('./run-check.js').CheckOptions & { seed: string, wholeMs?: number, onProgress: NonNullable<import('./run-check.js').CheckOptions['onProgress']> }} options
 * @returns {Promise<ResultRecord>}
 * @throws {import('../errors.js').WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function runProfileCheck ({ entry, dir, seed, wholeMs = longestCheckMs, onProgress, signal }) {
  const startedAt = new Date()
  const { lesson } = entry
  const task = /** @type {import('../catalogue/lesson.js').ProfileTask} */ (lesson.profile)
  const phase = (/** @type {import('../judge/record.js').PhaseEvent['phase']} */ name, /** @type {string} */ text) => onProgress({ type: 'phase', phase: name, text })
  phase('start', 'Reading the profile')
  const prepared = await prepareRun(lesson, seed)
  const { guard } = prepared
  const crew = createCrew({ prepared, signal })
  const evidence = newEvidence()
  /** @type {RoundResult[]} */
  const rounds = []
  const load = { requests: 0, errors: 0, non2xx: 0, mismatches: 0, disturbedRounds: 0, generatorBusy: null, problems: /** @type {string[]} */ ([]) }
  /** @type {import('../load-profile/sender.js').Sender | undefined} */
  let sender
  const tell = (/** @type {string} */ name, /** @type {string} */ message) => {
    /** @type {import('../judge/record.js').ContractResult} */
    const result = { name, when: 'before', status: message === '' ? 'pass' : 'fail', message }
    evidence.contract.push(result)
    onProgress({ type: 'check', result, done: evidence.contract.length, total: Object.keys(profileChecks).length })
    return message === ''
  }
  try {
    const submission = openSubmission(dir, { root: entry.root, scratch: prepared.scratch, file: entry.file })
    phase('contract', 'Looking at the profile')
    const { profile, problem } = await readProfile(path.join(submission.dir, entry.file), { guard, signal })
    const problems = problem === null ? problemsOfProfile(profile) : [problem]
    if (tell(profileChecks.isProfile, problems.join('\n')) && tell(profileChecks.fits, tooLong(profile, task.budgetMs))) {
      phase('rounds', 'Comparing servers with your profile, two pairs at a time')
      sender = await startSender({ module: pathToFileURL(path.join(entry.dir, 'lesson.js')).href, guard, signal })
      const place = { dir: entry.slowDir, shownDir: path.relative(entry.root, entry.slowDir) }
      await compareAll({ lesson, task, profile, crew, sender, place, seed, evidence, rounds, load, startedAt, wholeMs, onProgress })
      tell(profileChecks.right, load.problems.length === 0 ? '' : `${load.errors} of ${load.requests} requests got no right answer, and your profile measured them: ${load.problems[0]}`)
    }
    await crew.stopAll()
    /** @type {ResultRecord} */
    const record = {
      version: 1,
      lesson: { id: lesson.id, number: entry.number, title: lesson.title },
      submission: submission.shownDir,
      ...decideOnProfile(evidence, { asked: problems.length === 0 ? seconds(timeOfProfile(profile)) : '' }),
      contract: evidence.contract,
      gates: evidence.gates,
      rounds,
      load,
      mechanism: null,
      waterfall: null,
      warnings: [],
      output: [],
      machine: describeMachine({ steal: null }),
      seed,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime()
    }
    onProgress({ type: 'result', record })
    return record
  } finally {
    await crew.stopAll()
    await sender?.close()
    await prepared.clean()
  }
}

/** @param {LoadProfile} profile @param {number} budgetMs */
function tooLong (profile, budgetMs) {
  const needed = timeOfProfile(profile)
  if (needed <= budgetMs) return ''
  return `One comparison takes ${seconds(needed)} (two servers, each ${seconds(profile.warmUpMs ?? 0)} of warm-up and ${profile.rounds ?? 1} × ${seconds(profile.durationMs)}); there are ${seconds(budgetMs)} for it.`
}

/** @param {number} ms */
function seconds (ms) {
  return `${Number((ms / 1000).toPrecision(3))} s`
}

/**
 * @param {object} given
 * @param {import('../catalogue/lesson.js').Lesson} given.lesson
 * @param {import('../catalogue/lesson.js').ProfileTask} given.task
 * @param {LoadProfile} given.profile
 * @param {import('./crew.js').Crew} given.crew
 * @param {import('../load-profile/sender.js').Sender} given.sender
 * @param {{ dir: string, shownDir: string }} given.place of the servers
 * @param {string} given.seed
 * @param {import('../judge/verdict.js').Evidence} given.evidence
 * @param {RoundResult[]} given.rounds
 * @param {import('../judge/record.js').LoadResult} given.load
 * @param {Date} given.startedAt
 * @param {number} given.wholeMs for all comparisons, from startedAt on
 * @param {(event: import('../judge/record.js').CheckProgress) => void} given.onProgress
 */
async function compareAll ({ lesson, task, profile, crew, sender, place, seed, evidence, rounds, load, startedAt, wholeMs, onProgress }) {
  const random = createRandom(`${seed}/profile`)
  const unit = unitOf(profile.figure)
  /** @type {Observation[][]} */
  const observations = lesson.gates.map(() => [])
  const judge = (last = false) => lesson.gates.map((gate, at) => ({ ...judgeGate(gate, { cores: 1 }, observations[at], { last }), unit }))
  evidence.gates = judge()
  for (let number = 1; number <= mostComparisons; number++) {
    const startedMs = Date.now()
    // A gate that was decided at a look stays decided.
    const open = lesson.gates.filter((_, at) => evidence.gates[at].verdict !== 'pass' && evidence.gates[at].verdict !== 'fail')
    if (open.length === 0 || evidence.gates.some(({ verdict }) => verdict === 'fail') || load.problems.length > 0) break
    if (number > 1 && startedMs - startedAt.getTime() + longest(rounds.length, open.length, startedAt) > wholeMs) break
    // A profile can leave a queue behind each run that takes longer than all runs; nobody should wait for that.
    const leftMs = Math.max(0, wholeMs - (startedMs - startedAt.getTime()))
    const compared = await Promise.all(open.map((gate) =>
      compareOne({ gate, task, profile, crew, sender, place, random: random.fork(`${gate.name}/${number}`), number, leftMs })))
    compared.forEach((each, at) => {
      evidence.baselineFailures.push(...each.faults)
      load.requests += each.requests
      load.errors += each.wrong
      load.problems.push(...each.problems.slice(0, 5 - load.problems.length))
      if (each.observation) observations[lesson.gates.indexOf(open[at])].push(each.observation)
      if (each.round) rounds.push(each.round)
    })
    if (evidence.baselineFailures.length > 0) break
    const now = judge()
    evidence.gates = evidence.gates.map((before, at) => open.includes(lesson.gates[at]) ? now[at] : before)
    for (const round of rounds.slice(-open.length)) onProgress({ type: 'round', round, gates: evidence.gates, elapsedMs: Date.now() - startedAt.getTime() })
  }
  const last = judge(true)
  evidence.gates = evidence.gates.map((before, at) => before.verdict === 'pass' || before.verdict === 'fail' ? before : last[at])
}

/** How long the next comparisons will take, from how long the others took. @param {number} done @param {number} open @param {Date} startedAt */
function longest (done, open, startedAt) {
  return done === 0 ? 0 : (Date.now() - startedAt.getTime()) / done * open
}

/**
 * One pair of fresh servers, compared once.
 *
 * @param {object} given
 * @param {import('../catalogue/lesson.js').Gate} given.gate
 * @param {import('../catalogue/lesson.js').ProfileTask} given.task
 * @param {LoadProfile} given.profile
 * @param {import('./crew.js').Crew} given.crew
 * @param {import('../load-profile/sender.js').Sender} given.sender
 * @param {{ dir: string, shownDir: string }} given.place
 * @param {import('../catalogue/lesson.js').Random} given.random
 * @param {number} given.number
 * @param {number} given.leftMs then it is given up, and says nothing
 * @returns {Promise<{ faults: string[], requests: number, wrong: number, problems: string[], observation?: Observation, round?: RoundResult }>}
 *   faults: what went wrong with our own servers
 */
async function compareOne ({ gate, task, profile, crew, sender, place, random, number, leftMs }) {
  const startedAt = Date.now()
  const slowness = [1, gate.kind === 'apart' ? task.slowness : 1]
  const started = await Promise.all(slowness.map((slowness) => crew.start('baseline', place, { files: task.files({ random: random.fork('files'), slowness }) })))
  const failures = started.flatMap(({ failure }) => failure ?? [])
  const servers = started.flatMap(({ server }) => server ?? [])
  if (servers.length < 2) return { faults: failures, requests: 0, wrong: 0, problems: [] }
  const [a, b] = servers
  // Which of the two is the slower one is nobody's business but ours: its place in the order is drawn, round by round.
  const first = Array.from({ length: profile.rounds ?? 1 }, () => /** @type {0 | 1} */ (random.int(0, 1)))
  const comparison = await within(leftMs, sender.compare({ ports: [a.port, b.port], profile, first }))
  // A server that is gone is our fault, not the profile's.
  const gone = servers.flatMap((server) => server.hasExited() ? `It ${server.howItEnded()} while it was being measured.` : [])
  await Promise.all(servers.map(crew.stop))
  if (gone.length > 0 || comparison === null) return { faults: gone, requests: 0, wrong: 0, problems: [] }
  const { figures: [of, other], answers, wrong, problems } = comparison
  const seen = { faults: [], requests: answers + wrong, wrong, problems }
  if (of === null || other === null) return seen
  return {
    ...seen,
    observation: { baseline: of, yours: other, seconds: (Date.now() - startedAt) / 1000, largerIsSlower: isLargerSlower(profile.figure) },
    round: {
      load: gate.name,
      number,
      first: first[0] === 0 ? 'baseline' : 'yours',
      baseline: of,
      yours: other,
      disturbed: null,
      unit: unitOf(profile.figure),
      servers: gate.kind === 'apart' ? ['faster', 'slower'] : ['one twin', 'other']
    }
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} work
 * @returns {Promise<T | null>} null: it took longer
 */
async function within (ms, work) {
  const done = new AbortController()
  const late = sleep(ms, null, { signal: done.signal }).catch(() => null)
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}
