/**
 * What an author writes. Types only.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Check, DataGiven, Gate, Lesson, Load, Mechanism, Operation, Random } from '../../runner/lesson/index.js'
 *
 * @typedef {object} FormOnly
 * @property {string} base `import.meta.url` of lesson.js, beside which README.md lies
 * @property {(given: DataGiven) => Record<string, any>} data each key is a file in DATA_DIR, `movies` is movies.json;
 *   all of it is the first state
 * @property {(data: any) => Record<string, string>} [files] in DATA_DIR, where they are not one for each key
 * @property {Record<string, Route>} [routes] by method and path: `GET /movies/:id`, `GET /feed?since=N`, `POST /movies`
 * @property {Record<string, FormLoad>} loads
 * @property {Record<string, FormGate>} gates
 * @property {Record<string, FormOperation>} [operations] what no route can say
 * @property {FormContract} [contract] the same
 * @property {Record<string, string>} [promised] by rule: the words of the text that promise it, where others are
 *   found
 *
 * @typedef {FormOnly & Omit<Lesson, keyof FormOnly | 'promises'>} FormLesson
 *
 * Its rule is its name, if it has no other; one that has nothing else is what it draws.
 * @typedef {Operation['draw'] | Omit<Operation, 'rule'> & { rule?: string }} FormOperation
 *
 * Checks, or by when they run what they run by their names. `always` is before and after.
 * @typedef {Check[] | { [when in 'always' | 'before' | 'after']?: Record<string, Check['run']> }} FormContract
 *
 * What every reader of a state is handed: all files, as they are after the writes so far.
 * @typedef {any} State
 *
 * @typedef {object} Route
 * @property {string} rule what its answer must be: `sends one film`
 * @property {number} [weight] how often it is asked in a sequence, default 1
 * @property {Operation['headers']} [headers] further ones that must be equal
 * @property {Operation['meaning']} [meaning]
 * @property {(state: State, value: string) => unknown} [is] of a read: the JSON that it shows; value: of its parameter;
 *   undefined: 404
 * @property {unknown} [always] of a read: the JSON that it always shows
 * @property {boolean} [tagged] it has an ETag, and answers conditional requests
 * @property {string[]} [encodings] that it compresses with: `['gzip']`
 * @property {(given: { random: Random, state: State }) => string | number} [good] a value of its parameter
 * @property {(given: { random: Random, state: State }) => string | number} [near] the same after a write: one that the
 *   write may concern. Default: `good`
 * @property {Values} [bad] values that it refuses
 * @property {string} [wrongRule] the rule that refuses them, or that refuses `wrong`
 * @property {string} [effect] of a write: what later reads must show: `shows a new film in the very next read`
 * @property {(random: Random, given: { sent: any[], state: State }) => any} [body] of a write: the JSON to send; sent:
 *   what was sent before, the newest last
 * @property {(random: Random, body: any) => unknown[]} [wrong] of a write: bodies that it refuses
 * @property {(state: State, sent: any) => State} [then] of a write: the state after it
 * @property {(state: State) => unknown} [answers] of a write: the JSON of its answer, from the state after it
 * @property {number} [status] of a write: default 201
 * @property {(state: State) => string} [location] of a write: where its Location leads
 *
 * @typedef {(string | number)[] | ((random: Random) => (string | number)[])} Values
 *
 * @typedef {object} FormLoadOnly
 * @property {Record<string, number>} [mix] shares, by a route and how it is asked: `GET /movies`, `GET /feed gzip`,
 *   `GET /movies again` (with the ETag of the last answer)
 * @property {string} [beside] a route that is asked 50 times a second, as a probe
 * @property {number} [connections] default 8
 *
 * A mix, or a stream as in a lesson.
 * @typedef {FormLoadOnly & Omit<Partial<Load>, keyof FormLoadOnly>} FormLoad
 *
 * @typedef {object} FormGateOnly
 * @property {number} [rate] the target of a gate on requests/s
 * @property {number} [p99] the target of a gate on the 99th percentile of the latency
 * @property {string} [load] default: the first
 * @property {string} look
 *
 * @typedef {FormGateOnly & Omit<Partial<Gate>, 'name' | keyof FormGateOnly>} FormGate
 *
 * @typedef {object} ParsedOnly
 * @property {string} name `GET /feed?since=N`
 * @property {string} method
 * @property {boolean} isRead
 * @property {boolean} hasParameter
 * @property {(value?: string | number) => string} url
 *
 * @typedef {Route & ParsedOnly} ParsedRoute
 */
export {}
