/**
 * What can be asked of a lesson's servers, and what of an answer has to be the slow server's. Types only.
 *
 * @import { Random } from '../../random.js'
 * @import { Fault, Upstream } from '../../session/index.js'
 * @import { Answer } from '../answer.js'
 * @import { Request } from '../client.js'
 *
 * @typedef {object} Operation
 * @property {string} rule what its answer must be, as in “your server …”: `sends one film`
 * @property {string} [effect] of one that writes: what later answers must show: `shows a new film in the next list`
 * @property {string[]} [touches] of one that writes: the operations that are drawn next, `about` it
 * @property {number} [weight] how often it is drawn, default 1
 * @property {number} [least] so often in every sequence, whatever its weight, on top of the others, default 1
 * @property {(given: DrawGiven) => Asked | null} draw null: there is nothing to ask yet
 * @property {(answer: Answer, given: { data: any }) => unknown} [meaning] what of the body must be equal; by default
 *   the value of JSON, the bytes of anything else
 * @property {(string | HeaderReading)[]} [headers] that must be equal in addition to those of every answer (compare.js)
 * @property {boolean} [tagged] its answer has an ETag, since the text promises one
 * @property {boolean} [loose] the text promises a refusal (4xx), and no more
 * @property {(step: Step, answer: Answer, given: ExpectsGiven) => string | null} [expects] what is wrong with the slow
 *   server's answer by the lesson's own model; null: nothing
 * @property {(answer: Answer) => boolean} [notNow] an answer that says “not now”, and that the text allows: it is asked
 *   again after a pause
 *
 * A header of which not everything has to be equal.
 * @typedef {object} HeaderReading
 * @property {string} name in lower case
 * @property {(value: string | undefined, answer: Answer) => unknown} read what of it has to be
 *
 * @typedef {object} ExpectsGiven
 * @property {any} data of the lesson
 * @property {readonly Step[]} accepted the steps before it that were answered with less than 400
 *
 * @typedef {object} DrawGiven
 * @property {Random} random
 * @property {any} data of the lesson
 * @property {(name: string) => Step[]} past the steps of an operation so far
 * @property {Step} [about] the write that this one is to look at
 *
 * What is done in a step, or what follows from earlier answers of the same server.
 * @typedef {Plain | FromAnswers} Asked
 *
 * A request, something that happens to the server's surroundings, or a look at them.
 * @typedef {Request | Perturbation | Observation} Plain
 *
 * @typedef {(answerOf: (step: Step) => Answer) => Plain | null} FromAnswers null: the answers give nothing to ask
 *
 * @typedef {{ origin: string, dataDir: string, patience?: number, upstream: Upstream | null }} Surroundings
 *
 * @typedef {object} Perturbation
 * @property {(server: Surroundings) => unknown} act
 * @property {string} says what happens, for the learner: `the file 7.png is replaced`
 * @property {readonly Fault[]} [faults] what it has set with the service, noted once it is done
 *
 * @typedef {object} Observation
 * @property {(server: Surroundings) => unknown} look what is seen; it has to be the same with the slow server. A
 *   ContractError says what is wrong with it by itself
 * @property {string} says where it looks: `the lines in access.log`
 *
 * @typedef {object} Step
 * @property {number} id
 * @property {string} name of the operation
 * @property {Operation} operation
 * @property {Asked} asked
 * @property {Transport} transport
 *
 * How a request travels: no right server answers differently.
 * @typedef {object} Transport
 * @property {boolean} fresh on a new connection
 * @property {boolean} chunked a body without a length
 *
 * Steps that are sent at once, mostly one; or an event.
 * @typedef {{ steps: Step[], event?: Event }} Moment
 *
 * restart: on the same data; load: from here on many others ask, too; rest: they have all been answered.
 * @typedef {'restart' | 'load' | 'rest'} Event
 */

export {}
