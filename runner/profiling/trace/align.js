/**
 * Puts the timelines of several threads on one clock. Pure.
 *
 * @import { Member, Timeline, TimelinePoint } from '../../inside/index.js'
 *
 * @typedef {object} Thread
 * @property {string} name `main thread`, `worker thread 1`, `process 4711, main thread`
 * @property {number} pid
 * @property {boolean} main
 * @property {number} startMs when its timeline starts; all times are ms since the recording started
 * @property {TimelinePoint[]} points
 * @property {Timeline['gcs']} gcs
 * @property {number} keptBefore bytes of heap and buffers after a full collection at the start
 * @property {number} keptAfter the same at the end
 * @property {Record<string, number>} before what kept its loop alive at the start, by kind
 * @property {Record<string, number>} after the same at the end
 *
 * @typedef {object} Span
 * @property {number} fromMs
 * @property {number} toMs
 *
 * @typedef {{ load: Span, endMs: number, threads: Thread[] }} Recording the server's first process first
 *
 * @param {{ member: Pick<Member, 'pid' | 'threadId' | 'main'>, timeline: Timeline }[]} taken
 * @param {{ serverPid: number, startedAt: number, fromAt: number, toAt: number }} clock ms since 1970
 * @returns {Recording}
 */
export function align (taken, { serverPid, startedAt, fromAt, toAt }) {
  const inOrder = taken.toSorted(({ member: a }, { member: b }) =>
    Number(b.pid === serverPid) - Number(a.pid === serverPid) || a.pid - b.pid || a.threadId - b.threadId)
  const threads = inOrder.map(({ member: { pid, threadId, main }, timeline }) => {
    const startMs = Math.max(0, timeline.startedAt - startedAt)
    const thread = main ? 'main thread' : `worker thread ${threadId}`
    return {
      name: pid === serverPid ? thread : `process ${pid}, ${thread}`,
      pid,
      main,
      startMs,
      points: timeline.points.map((point) => ({ ...point, atMs: point.atMs + startMs })),
      gcs: timeline.gcs.map((gc) => ({ ...gc, atMs: gc.atMs + startMs })),
      keptBefore: timeline.keptBefore,
      keptAfter: timeline.keptAfter,
      before: timeline.before,
      after: timeline.after
    }
  })
  return {
    load: { fromMs: fromAt - startedAt, toMs: toAt - startedAt },
    endMs: Math.max(toAt - startedAt, ...threads.flatMap(({ points }) => points.slice(-1).map(({ atMs }) => atMs))),
    threads
  }
}
