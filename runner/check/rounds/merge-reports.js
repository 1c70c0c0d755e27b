import { mergeHistograms } from '../../judge/index.js'

/** @import { SliceReport } from '../../judge/index.js' */

/**
 * Several reports of the generator as if they were one slice: the pauses between them do not count. Pure.
 *
 * @param {readonly SliceReport[]} reports at least one
 * @returns {SliceReport}
 */
export function mergeReports (reports) {
  if (reports.length === 1) return reports[0]
  const sum = (/** @type {(report: SliceReport) => number} */ of) =>
    reports.reduce((total, report) => total + of(report), 0)
  const most = (/** @type {(report: SliceReport) => number} */ of) => Math.max(...reports.map(of))
  const answers = sum((report) => report.answers)
  const elapsedMs = sum((report) => report.elapsedMs)
  return {
    answers,
    elapsedMs,
    rate: elapsedMs > 0 ? answers / elapsedMs * 1000 : 0,
    latencies: mergeHistograms(reports.map((report) => report.latencies)),
    // These two are about one uninterrupted run.
    degradation: null,
    littlesLaw: null,
    accepted: reports.flatMap((report) => report.accepted),
    refused: reports.flatMap((report) => report.refused),
    lateMs: most((report) => report.lateMs),
    busy: elapsedMs > 0 ? sum((report) => report.busy * report.elapsedMs) / elapsedMs : 0,
    cpuMs: sum((report) => report.cpuMs),
    probes: reports.flatMap((report) => report.probes),
    probeLateMs: most((report) => report.probeLateMs),
    lost: reports.flatMap((report) => report.lost),
    wrong: sum((report) => report.wrong),
    badStatus: sum((report) => report.badStatus),
    problems: reports.flatMap((report) => report.problems)
  }
}
