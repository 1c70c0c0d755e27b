import { quantile } from './statistics.js'

/**
 * The kinds of gates: what each takes from a slice of load, and how the two servers' figures become one ratio.
 *
 * @typedef {object} Kind
 * @property {string} unit of the figures
 * @property {string} ratioUnit of the ratio and of the target: `×`, or a unit where yours is judged by itself
 * @property {'at least' | 'at most'} direction
 * @property {(slice: import('./slice.js').Slice, gate: import('../catalogue/lesson.js').Gate) => number | null} figure null:
 *   this slice says nothing
 * @property {(observation: import('./gate.js').Observation) => number} ratio
 * @property {boolean} [alone] the baseline's figure does not enter, and may be missing
 * @property {number} [least] figures below this one cannot be told apart: they count as this. Where yours is judged alone, a
 *   missing figure does, too: who refuses nobody refuses nobody too late
 * @property {boolean} [scatter] the true ratio is known to be 1: what is judged is how far the ratios scatter around it
 * @property {boolean} [indifferent] the figure does not depend on how busy the machine is: disturbed rounds count as well
 * @property {boolean} [layout] the figure depends on how fast a process is, and so on its memory layout: see plan.js
 */

const better = (/** @type {{ baseline: number, yours: number }} */ { baseline, yours }) => yours / baseline
const lower = (/** @type {{ baseline: number, yours: number }} */ { baseline, yours }) => baseline / yours
const itself = (/** @type {{ yours: number }} */ { yours }) => yours

/** @type {Record<import('../catalogue/lesson.js').Gate['kind'], Kind>} */
export const kinds = {
  rate: { unit: 'requests/s', ratioUnit: '×', direction: 'at least', figure: ({ rate }) => rate, ratio: better, layout: true },
  latency: {
    unit: 'ms',
    ratioUnit: '×',
    direction: 'at least',
    figure: ({ probes, accepted }, { of, percentile = 99 }) => percentileOf(of === 'load' ? accepted : probes, percentile),
    ratio: lower,
    layout: true
  },
  degradation: { unit: '×', ratioUnit: '×', direction: 'at most', figure: ({ degradation }) => degradation, ratio: itself, layout: true },
  accepted: {
    unit: 'share accepted',
    ratioUnit: '×',
    direction: 'at least',
    figure: ({ answers, refused }) => answers > 0 ? answers / (answers + refused.length) : null,
    ratio: better
  },
  refusal: {
    unit: 'ms',
    ratioUnit: ' ms',
    direction: 'at most',
    figure: ({ refused }, { percentile = 99 }) => percentileOf(refused, percentile),
    ratio: itself,
    alone: true,
    least: 1,
    layout: true
  },
  retained: { unit: 'bytes/request', ratioUnit: '×', direction: 'at least', figure: ({ retained }) => retained, ratio: lower, least: 100, indifferent: true, layout: true },
  footprint: { unit: 'bytes/request', ratioUnit: '×', direction: 'at least', figure: ({ footprint }) => footprint, ratio: lower, least: 1000, indifferent: true, layout: true },
  calls: {
    unit: 'calls/request',
    ratioUnit: '×',
    direction: 'at most',
    figure: ({ upstreamCalls, answers }) => upstreamCalls === null || answers === 0 ? null : upstreamCalls / answers,
    ratio: better,
    least: 0.01,
    indifferent: true
  },
  // Of a profile: the two figures of a comparison are no slice's, and the servers are simulated: they have no layout.
  apart: { unit: 'requests/s', ratioUnit: '×', direction: 'at least', figure: () => null, ratio: (o) => o.largerIsSlower ? better(o) : lower(o) },
  alike: { unit: 'requests/s', ratioUnit: '×', direction: 'at most', figure: () => null, ratio: better, scatter: true }
}

/** @param {readonly number[]} values @param {number} percentile */
function percentileOf (values, percentile) {
  return values.length > 0 ? quantile(values, percentile / 100) : null
}
