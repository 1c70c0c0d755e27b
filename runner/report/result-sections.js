import { cleanLine } from '../shared/text.js'
import { exactPercent, percent, plural } from '../shared/format.js'
import { kindOf } from '../judge/index.js'
import { sizedSeed } from '../shared/random.js'
import { unicodeMarks as marks } from './marks.js'
import { formatCount, formatNumber, formatRatio } from './numbers.js'

/**
 * A result record as sections of sentences. Each medium draws them, and what isn't a sentence: gates, charts, output.
 * Texts are as the record has them, not made harmless. Pure.
 *
 * @import { ContractResult, GateResult, ResultRecord } from '../judge/index.js'
 *
 * @typedef {object} ResultSection
 * @property {Item[]} [items] one below the other
 * @property {[name: string, text: string][]} [pairs] below the items; a text may be empty
 * @property {string[]} [facts] side by side; one may be empty
 *
 * @typedef {object} Item
 * @property {'pass' | 'fail' | 'warning' | 'dot' | 'none'} [mark]
 * @property {string} text
 * @property {string[]} [more] said below it
 * @property {string[]} [commands] to copy
 */

const busyGenerator = 0.8
/** A limit this many times as far away as the reference says nothing: other work can't be avoided. */
const farAway = 4
/** Above this share of the limit, the rest is noise. */
const practicallyAll = 0.995

/** @param {ResultRecord} record */
export function resultSections (record) {
  const { gates, next, machine, warnings } = record
  return {
    contract: contractSection(record),
    warnings: { items: [...new Set([...warnings, ...machine.warnings])].map((text) => bullet('warning', text)) },
    look: {
      // The last line of the page says `next`: it needn't be here as well.
      items: gates.filter(({ verdict, look }) => verdict === 'fail' && look !== '' && !next.startsWith(look))
        .map(({ name, look }) => ({ text: `${name}: ${look}` }))
    },
    reach: { items: gates.map(sayReach).filter((text) => text !== '').map((text) => ({ text })) },
    load: loadSection(record),
    mechanism: mechanismSection(record),
    machine: { facts: machineFacts(record) },
    end: {
      facts: [`seed ${record.seed}`, record.comparison ? '' : `repeat: ${repeatCommand(record)}`]
    }
  }
}

/** @param {'warning' | 'dot'} mark @param {string} text @returns {Item} */
function bullet (mark, text) {
  return { mark, text }
}

/** @param {ResultRecord} record @returns {ResultSection} */
function contractSection (record) {
  const { contract, comparison, rules } = record
  if (contract.length === 0) return {}
  const failed = contract.filter(({ status }) => status === 'fail')
  const requests = failed.flatMap(({ requests = [] }) => requests)
  const faults = requests.some((line) => line.includes(':FAULTS'))
    ? ', and FAULTS with the port that makes its service fail (as the check did)'
    : ''
  return {
    items: [
      {
        mark: failed.length === 0 ? 'pass' : 'fail',
        text: failed.length === 0 || rules === undefined
          ? `${contract.length - failed.length} of ${contract.length} passed`
          : `${rules.hold} of ${plural(rules.of, 'rule')} are known to hold. These don’t, in the order of the lesson:`
      },
      ...failed.map(failedCheck),
      ...requests.length === 0 || comparison
        ? []
        : [{
            text: `To see it yourself, start each of the two, and replace PORT with the port it listens on${faults}:`,
            commands: [serveCommand(record, 'mine'), serveCommand(record, 'slow')]
          }]
    ]
  }
}

/** @param {ContractResult} check that failed */
export function failedCheck ({ name, when, message, requests = [], promised = '' }) {
  return {
    mark: /** @type {const} */ ('fail'),
    text: `${name} (${when} the load)`,
    more: [message, ...promised === '' ? [] : [`The lesson says: “${promised}”`]],
    commands: requests
  }
}

/**
 * How far a gate has come between its target, what the reference reached and what this machine can do.
 *
 * @param {GateResult} gate
 * @returns {string} empty if there's nothing to compare with
 */
function sayReach (gate) {
  const { name, kind, ratio, target, yours, tiers, reference = null, baseline } = gate
  if (!kindOf(kind).hasLimit || ratio === null || target === null) return ''
  const isMeasured = gate.limit !== null && baseline !== null && baseline > 0 && gate.limit > 0
  const limit = isMeasured ? Number(gate.limit) / Number(baseline) : Infinity
  const isTelling = isMeasured && (tiers !== null || limit <= farAway * Math.max(ratio, reference ?? 0))
  if (reference === null && !isTelling) return ''
  const times = (/** @type {number} */ value) => formatNumber(value, marks.none) + marks.times
  // Both are measured, so it may be above 1.
  const share = Number(yours) / Number(gate.limit)
  return `${[
    `${name}: ${formatRatio(gate, marks)} of ${Number(target.toPrecision(3))}${marks.times}`,
    ...reference === null ? [] : [`the reference reached ${times(reference)} where it was measured`],
    ...isTelling && share >= practicallyAll ? ['you’ve reached what a bare Node.js server does here'] : [],
    ...isTelling && share < practicallyAll
      ? [`a bare Node.js server reaches about ${times(limit)} here, and yours comes to ${exactPercent(share)} of that`]
      : []
  ].join('; ')}.`
}

/** @param {ResultRecord} record @returns {ResultSection} */
function loadSection ({ load }) {
  const faults = [
    [load.errors, 'lost or cut off'],
    [load.non2xx, 'with an unexpected status'],
    [load.mismatches, 'with a wrong body or header']
  ].filter(([count]) => Number(count) > 0).map(([count, what]) => `${formatCount(Number(count))} ${what}`)
  const busy = load.generatorBusy !== null && load.generatorBusy > busyGenerator
    ? [`The load generator itself was busy ${exactPercent(load.generatorBusy)} of the time, so it could hardly send ` +
      'more: your server may be even faster than these numbers show.']
    : []
  const problems = [...new Set(load.problems), ...busy]
  if (faults.length === 0 && problems.length === 0) return {}
  const text = `${formatCount(load.requests)} answers${faults.length === 0 ? '' : `: ${faults.join(', ')}`}`
  return { items: [{ text }, ...problems.map((problem) => bullet('dot', problem))] }
}

/** @param {ResultRecord} record @returns {ResultSection} */
function mechanismSection ({ mechanism }) {
  if (mechanism === null) return {}
  const { confirmed, note, expected, seen, figures } = mechanism
  const also = figures.filter(({ does }) => does === null).map(({ text }) => text).join(` ${marks.dot} `)
  /** @type {Item} */
  const said = confirmed === null
    ? { mark: 'none', text: note }
    : confirmed ? { mark: 'pass', text: 'confirmed' } : { mark: 'fail', text: 'not confirmed' }
  return { items: [said], pairs: [['expected', expected], ['seen', seen], ['also', also]] }
}

/** @param {ResultRecord} record */
function machineFacts ({ machine: { node, cpu, cores, platform, work, steal } }) {
  return [
    `Node ${node}`,
    cpu,
    plural(cores, 'core'),
    platform,
    work < 1 ? `work sized to ${percent(work)} for slower cores (@${work} in the seed)` : '',
    steal === null ? '' : `${exactPercent(steal)} of the CPU time stolen`
  ]
}

/** The command that runs the same check again. @param {ResultRecord} record */
function repeatCommand (record) {
  const server = isUsual(record) ? '' : ` --server ${argument(record.submission, 'DIR')}`
  return `npm run check lesson-${record.lesson.number} --${server} --seed ${seedOf(record)}`
}

/** Starts what was graded, or the slow server, on the same data. @param {ResultRecord} record @param {string} which */
function serveCommand (record, which) {
  const isNamed = which === 'slow' || isUsual(record)
  const server = isNamed ? ` ${which} --` : ` -- --server ${argument(record.submission, 'DIR')}`
  return `npm run serve lesson-${record.lesson.number}${server} --seed ${seedOf(record)}`
}

/** @param {ResultRecord} record */
function seedOf ({ seed, machine }) {
  return argument(sizedSeed(seed, machine.work), 'SEED')
}

/** Is it where a learner's copy is? @param {ResultRecord} record */
function isUsual ({ lesson, submission }) {
  const usual = `workspace/${String(lesson.number).padStart(2, '0')}-${lesson.id}`
  const folder = String(submission).replaceAll('\\', '/').replace(/\/+$/, '')
  return folder === usual || folder.endsWith(`/${usual}`)
}

/** A name that a shell could misread is left out. @param {string} value @param {string} placeholder */
function argument (value, placeholder) {
  const text = cleanLine(value)
  if (text !== String(value) || !/^[\p{L}\p{M}\p{N}_./\\:~ +@-]+$/u.test(text)) return placeholder
  return text.includes(' ') ? `"${text}"` : text
}
