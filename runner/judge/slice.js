/**
 * What is measured of one server in one slice of load. Types only: the load generator and the rounds fill them in, the
 * judge reads them.
 *
 * What one slice of load says about one server, as plain figures.
 * @typedef {object} SliceFigures
 * @property {number} answers all of them, including those still in flight when the slice's time was up
 * @property {number} elapsedMs from the first request to the last answer
 * @property {number} rate answers a second
 * @property {import('./histogram.js').Histogram} latencies of these answers: in an open loop of the accepted ones, from
 *   the moment at which each request was due
 * @property {number | null} degradation time of the last third of the answers / time of the first third
 * @property {number | null} littlesLaw rate × mean latency / connections: 1 when the generator kept all connections
 *   busy
 *
 * What the load generator reports of a slice.
 * @typedef {SliceFigures & GeneratorFigures} SliceReport
 *
 * @typedef {object} GeneratorFigures
 * @property {number[]} accepted in an open loop: latencies of the answers that were no refusals, ms from the moment at
 *   which each request was due
 * @property {number[]} refused in an open loop: the same of the refusals
 * @property {number} lateMs in an open loop: 99th percentile of how late the generator itself sent
 * @property {number} busy the generator's event loop utilisation, 0 to 1
 * @property {number} cpuMs the generator's CPU time
 * @property {number[]} probes latencies of the open loop in ms, from the moment at which each request was due
 * @property {number} probeLateMs 99th percentile of how late the generator itself sent them
 * @property {Problem[]} lost connections and answers that were lost
 * @property {number} wrong answers that were complete and wrong
 * @property {number} badStatus those of them with a status of 400 or more
 * @property {Problem[]} problems the first few of the wrong ones
 *
 * @typedef {object} Problem
 * @property {'interim' | 'closed' | 'cut' | 'no answer' | 'unasked' | 'refused' | 'status' |
 *   'mismatch'} kind
 * @property {string} message one sentence
 *
 * What the machine was doing during one slice. Shares are of one core: 1 is one core busy all the time.
 * @typedef {object} SliceConditions
 * @property {number | null} steal share of all CPU time that other machines took, 0 to 1
 * @property {number | null} foreign cores kept busy by programs that are not part of the check
 * @property {number | null} busy share of all cores that was busy, 0 to 1
 * @property {number | null} waiting share of the time in which the server had work and no core to do it on, 0 to 1
 * @property {boolean} [stopped] a signal had stopped the server at some moment
 * @property {boolean} [connectedToBaseline] the other server was connected to it
 * @property {string | null} [interfered] what else was done to the baseline, a sentence
 * @property {number | null} idleServer cores kept busy by the server that was not being measured
 *
 * One slice: what the generator reports, and what the machine and the server were doing meanwhile.
 * @typedef {SliceReport & ServerFigures} Slice
 *
 * @typedef {object} ServerFigures
 * @property {SliceConditions} conditions
 * @property {number | null} cpuPerRequestMs CPU time of the server's whole process tree for one answer; null where the
 *   system does not tell
 * @property {number | null} retained bytes of heap and buffers that one request leaves behind; null without batches
 * @property {number | null} held bytes of heap and buffers after the first batch; null without batches
 * @property {number | null} footprint bytes of resident memory of the whole tree that one request leaves behind; null
 *   where unknown
 * @property {number | null} upstreamCalls calls that the server made; null where there is no upstream
 */

export {}
