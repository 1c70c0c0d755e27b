/**
 * What the load generator is told to do.
 *
 * @typedef {object} SliceOrder
 * @property {string} instance which server, and which start of it: `yours#2` is the second; each has its own state
 * @property {string} load name of the lesson's load
 * @property {number} port on 127.0.0.1
 * @property {number} sliceMs
 * @property {number} sliceAnswers
 * @property {number} [exactly]
 * @property {number} [rate] requests/s: an open loop instead of a closed one
 * @property {number} [answerTimeoutMs]
 * @property {number} [connections] instead of the load's
 * @property {unknown} [kept] what the streams have to know of this server, instead of the lesson's model
 * @property {boolean} [unchecked] do not judge the answers
 * @property {boolean} [verifyLater] report before the answers are verified, which another order asks for
 * @property {boolean} [withoutProbe] send nothing next to the load
 *
 * @typedef {Pick<SliceOrder, 'port' | 'sliceMs'> & { seed: string }} ReadOrder
 */
export {}
