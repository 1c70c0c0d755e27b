import { quantile } from './statistics.js'

/**
 * The table of gate kinds: what each takes from a slice of load, and how the two servers' figures become one ratio.
 * Everything that differs between kinds is here; lessons are validated, judged, shown and documented by it.
 *
 * @import { Slice } from './slice-figures.js'
 *
 * @typedef {object} Kind
 * @property {string} about one line for authors: what is compared; `npm run generate` writes it into their docs
 * @property {string} missed what is wrong where the target is missed, in few words
 * @property {'server' | 'own check'} grades a server, or what a lesson checks by itself
 * @property {string} unit of the figures
 * @property {string} ratioUnit of the ratio and of the target: `×`, or a unit where yours is judged by itself
 * @property {string} [says] what its figures are, in few words, where the unit does not tell
 * @property {number} spread standard deviation of the log ratio of one round on a bad day, from recorded checks; 0:
 *   nothing is assumed
 * @property {'at least' | 'at most'} direction
 * @property {(slice: Slice, gate: Reading) => number | null} figure null: this slice says nothing
 * @property {(observation: Observation) => number} ratio
 * @property {('of' | 'percentile')[]} [fields] that gates of this kind alone have
 * @property {(gate: Reading) => { part: 'exactly' | 'probe' | 'arrivals' | 'batches', why: string }} [needs] what its
 *   load must have
 * @property {(machine: Machine) => string | null} [unavailable] why this machine cannot show it, a sentence
 * @property {[string, string]} [servers] what the two servers are called, where they are not the baseline and yours
 * @property {[string, string]} [pair] what the two are called, one round at a time
 * @property {boolean} [absolute] the baseline's figure does not enter, and may be missing
 * @property {number} [least] figures below this one cannot be told apart: they count as this. Where yours is judged
 *   alone, a missing figure does, too: a server that refuses nothing refuses nothing too late
 * @property {number} [leastShare] the same, as a share of the target
 * @property {boolean} [bounded] a ratio of 1 is the best that there can be: a margin is how far from it one may be
 * @property {boolean} [hasLimit] what a bare server answers under the same load is as much as this machine can do
 * @property {(gate: Reading) => 'probes' | 'accepted' | 'refused'} [latencies] those of a slice that it depends on: the
 *   load generator must not be late by a large part of them
 * @property {boolean} [scatter] the true ratio is known to be 1: what is judged is how far the ratios scatter around it
 * @property {boolean} [loadInvariant] the figure does not depend on how busy the machine is: disturbed rounds count as
 *   well
 * @property {boolean} [perProcessBias] the figure depends on how fast a process is, and so on its memory layout:
 *   see gate.js
 *
 * @typedef {{ of?: 'probe' | 'load', percentile?: number }} Reading what of a gate says how it reads a slice
 * @typedef {{ cores: number, tellsUse?: boolean, gain?: number }} Machine gain: what two threads get done at the same
 *   time, as a multiple of what one does; missing where it hasn't been measured
 *
 * One counted round, as one gate sees it.
 * @typedef {object} Observation
 * @property {number} baseline in the gate's unit; 0 if it's missing and the gate doesn't need it
 * @property {number} yours in the gate's unit
 * @property {number} seconds what the round cost
 * @property {boolean} [largerIsSlower] of the figures of a lesson's own check
 *
 * One row of the table that decides. `target` is here and nowhere else.
 * @typedef {object} Gate
 * @property {string} name `movies`
 * @property {GateKind} kind
 * @property {string} load the name of the load; not for a gate of a lesson's own check
 * @property {number | ((machine: Machine) => number | undefined)} [target]
 *   a function where the target follows the machine; undefined drops the gate on this machine
 * @property {Record<string, number>} [tiers] instead of a target: targets by name, from the lowest, which is the pass
 *   line, to the highest
 * @property {number} [halfway] a ratio on the way to the target: a report tells when it is reached; decides nothing
 * @property {'probe' | 'load'} [of] whose latency: that of the probe (default), or of the accepted responses of a load
 *   with `arrivals`
 * @property {number} [percentile] of a latency or refusal gate, default 99
 * @property {string} [dropped] why the gate can be dropped, one sentence
 * @property {string} look where to look when this gate fails: a question or a place, one line
 *
 * @typedef {keyof typeof gateKinds} GateKind
 */

/** @param {Observation} observation */
const more = ({ baseline, yours }) => yours / baseline
/** @param {Observation} observation */
const less = ({ baseline, yours }) => baseline / yours
/** @param {Observation} observation */
const itself = ({ yours }) => yours

const arrivals = () => /** @type {const} */ ({ part: 'arrivals', why: 'only an open loop can be refused' })

/** Shared by kinds that judge the memory that a server holds after each batch. */
const memory = /** @satisfies {Partial<Kind>} */ ({
  missed: 'too much memory',
  grades: 'server',
  spread: 0.4,
  needs: () => ({ part: 'batches', why: 'memory is read after each batch' }),
  loadInvariant: true
})

/** Shared by kinds that judge CPU time: mostly what an answer costs. */
const cpuTime = /** @satisfies {Omit<Kind, 'about' | 'missed' | 'ratio'>} */ ({
  grades: 'server',
  unit: 'ms of CPU/answer',
  ratioUnit: '×',
  spread: 0.25,
  direction: 'at least',
  unavailable: ({ tellsUse }) =>
    tellsUse === false ? 'This system doesn’t report from outside how much CPU time a server uses.' : null,
  figure: ({ cpuPerRequestMs }) => cpuPerRequestMs,
  loadInvariant: true
})

/** The two figures of a lesson's own check are no slice's, and its servers are simulated: they have no layout. */
const ownFigures = /** @satisfies {Partial<Kind>} */ ({
  grades: 'own check',
  unit: 'requests/s',
  ratioUnit: '×',
  spread: 0,
  servers: ['server A', 'server B'],
  figure: () => null
})

export const gateKinds = /** @satisfies {Record<string, Kind>} */ ({
  rate: {
    about: 'responses a second, yours / baseline',
    missed: 'too slow',
    grades: 'server',
    unit: 'requests/s',
    ratioUnit: '×',
    spread: 0.4,
    direction: 'at least',
    figure: ({ rate }) => rate,
    ratio: more,
    hasLimit: true,
    perProcessBias: true
  },
  latency: {
    about:
      'a percentile of the probe’s latency during the load, baseline / yours; with `of: "load"` that of the ' +
        'accepted responses of a load with `arrivals`, each from the moment at which it was due',
    missed: 'waits too long',
    grades: 'server',
    unit: 'ms',
    ratioUnit: '×',
    spread: 0.55,
    direction: 'at least',
    fields: ['of', 'percentile'],
    needs: ({ of }) =>
      of === 'load'
        ? { part: 'arrivals', why: 'the latency of a load counts from the moment at which a request is due' }
        : { part: 'probe', why: 'a latency gate is measured by a probe' },
    latencies: ({ of }) => of === 'load' ? 'accepted' : 'probes',
    figure: ({ probes, accepted }, { of, percentile = 99 }) =>
      percentileOf(of === 'load' ? accepted : probes, percentile),
    ratio: less,
    perProcessBias: true
  },
  degradation: {
    about: 'time of the last third / time of the first third of an `exactly` load, yours alone',
    missed: 'too slow',
    grades: 'server',
    unit: '×',
    ratioUnit: '×',
    says: 'the slowdown is the time of the last third of the requests / that of the first third; 1× is no slowdown.',
    spread: 0.4,
    direction: 'at most',
    needs: () => ({ part: 'exactly', why: 'a degradation gate compares the thirds of a fixed number of requests' }),
    figure: ({ degradation }) => degradation,
    ratio: itself,
    perProcessBias: true
  },
  accepted: {
    about: 'share of the arrivals that were not refused, yours / baseline',
    missed: 'too few accepted',
    grades: 'server',
    unit: 'share accepted',
    ratioUnit: '×',
    spread: 0.25,
    direction: 'at least',
    needs: arrivals,
    latencies: () => 'accepted',
    figure: ({ answers, refused }) => (answers > 0 ? answers / (answers + refused.length) : null),
    ratio: more,
    bounded: true
  },
  refusal: {
    about: 'a percentile of the time until a refusal, in ms, yours alone',
    missed: 'refuses too late',
    grades: 'server',
    unit: 'ms',
    ratioUnit: ' ms',
    spread: 0.6,
    direction: 'at most',
    fields: ['percentile'],
    needs: arrivals,
    latencies: () => 'refused',
    figure: ({ refused }, { percentile = 99 }) => percentileOf(refused, percentile),
    ratio: itself,
    absolute: true,
    least: 1,
    perProcessBias: true
  },
  retained: {
    about: 'bytes of heap and buffers left behind by a request, of a load with `batches`, baseline / yours',
    ...memory,
    unit: 'bytes/request',
    ratioUnit: '×',
    spread: 0.9,
    direction: 'at least',
    figure: ({ retained }) => retained,
    ratio: less,
    least: 100,
    perProcessBias: true
  },
  footprint: {
    about:
      'the same of the resident memory of the whole process tree, and of the files that it has kept without a name: ' +
      'coarser, and a second witness for memory that is kept elsewhere',
    ...memory,
    unit: 'bytes/request',
    ratioUnit: '×',
    direction: 'at least',
    unavailable: ({ tellsUse }) =>
      tellsUse === false ? 'This system doesn’t report how much memory a server holds.' : null,
    figure: ({ footprint }) => footprint,
    ratio: less,
    least: 1000,
    perProcessBias: true
  },
  leak: {
    about: 'bytes of heap and buffers left behind by a request, yours alone: 10 % of a leak is a leak',
    ...memory,
    unit: 'bytes/request',
    ratioUnit: ' bytes',
    direction: 'at most',
    figure: ({ retained }) => retained,
    ratio: itself,
    absolute: true,
    leastShare: 1 / 3
  },
  level: {
    about: 'heap and buffers after the first batch, yours / baseline: what is held from the start',
    ...memory,
    unit: 'bytes',
    ratioUnit: '×',
    direction: 'at most',
    figure: ({ held }) => held,
    ratio: more
  },
  calls: {
    about: 'upstream calls for one response, yours / baseline',
    missed: 'too many calls',
    grades: 'server',
    unit: 'calls/request',
    ratioUnit: '×',
    spread: 0.12,
    direction: 'at most',
    figure: ({ upstreamCalls, answers }) => (upstreamCalls === null || answers === 0 ? null : upstreamCalls / answers),
    ratio: more,
    least: 0.01,
    loadInvariant: true
  },
  work: {
    about:
      'CPU time of the whole process tree for one response, yours / baseline: for a lesson whose work is the point, ' +
        'so that less of it does not pass for faster work',
    missed: 'too slow',
    ...cpuTime,
    ratio: more
  },
  cpu: {
    about: 'CPU time of the whole process tree for one response, baseline / yours: what a response costs',
    missed: 'too much CPU time',
    ...cpuTime,
    ratio: less,
    perProcessBias: true
  },
  // With what it waits for, it hardly depends on what else is running, and not at all on how fast a process is.
  cores: {
    about:
      'cores that the whole process tree uses or waits for, yours / baseline: CPU time and time spent waiting for a ' +
        'core, divided by the time of the slice; for parallel work, where a rate’s target is close to 1',
    missed: 'too few cores used',
    ...cpuTime,
    unit: 'cores',
    spread: 0.12,
    figure: ({ cpuPerRequestMs, answers, elapsedMs, conditions: { waiting } }) =>
      cpuPerRequestMs === null || waiting === null ? null : cpuPerRequestMs * answers / (1 - waiting) / elapsedMs,
    ratio: more
  },
  apart: {
    about: 'of a lesson’s own check: how many times slower the slower server is shown to be',
    missed: 'not told apart',
    ...ownFigures,
    direction: 'at least',
    pair: ['faster', 'slower'],
    ratio: (observation) => (observation.largerIsSlower ? more(observation) : less(observation))
  },
  alike: {
    about:
      'of a lesson’s own check: how far the results of two identical servers typically lie apart (root mean square ' +
        'of the log ratio)',
    missed: 'told apart',
    ...ownFigures,
    direction: 'at most',
    pair: ['one twin', 'other'],
    ratio: more,
    bounded: true,
    scatter: true
  }
})

/** The entry of one kind. @param {GateKind} kind @returns {Kind} */
export function kindOf (kind) {
  return gateKinds[kind]
}

/** The names of the kinds for one kind of lesson. @param {Kind['grades']} grades */
export function kindsFor (grades) {
  return Object.entries(gateKinds).filter(([, kind]) => kind.grades === grades).map(([name]) => name)
}

/** @param {readonly number[]} values @param {number} percentile */
function percentileOf (values, percentile) {
  return values.length > 0 ? quantile(values, percentile / 100) : null
}

/**
 * One round as one gate sees it; null when it says nothing. Pure.
 *
 * @param {Gate} gate @param {{ baseline: Slice, yours: Slice, seconds: number }} round @returns {Observation | null}
 */
export function observe (gate, { baseline, yours, seconds }) {
  const kind = kindOf(gate.kind)
  const target = typeof gate.target === 'number' ? gate.target : 0
  const least = kind.least ?? target * (kind.leastShare ?? 0)
  const [theirs, found] = [baseline, yours].map((slice) => {
    const figure = kind.figure(slice, gate)
    return figure === null ? null : Math.max(figure, least)
  })
  const ours = found ?? (kind.absolute ? least : 0)
  if (!(ours > 0)) return null
  if (!kind.absolute && (theirs === null || !(theirs > 0))) return null
  return { baseline: theirs ?? 0, yours: ours, seconds }
}
