/**
 * What an author writes. Types only.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import {
 *   Check, DataGiven, Gate, Item, Lesson, Load, LoadAnswer, Operation, Random, Step
 * } from '../../runner/lesson/index.js'
 * @import { lookAtLog } from '../shared/log-file.js'
 *
 * @typedef {object} FormOnly
 * @property {(given: DataGiven) => Record<string, any> | Promise<Record<string, any>>} data each key is a file in
 *   DATA_DIR, `movies` is movies.json; all of it is the first state
 * @property {(data: any) => Record<string, string>} [files] in DATA_DIR, where they are not one for each key
 * @property {Logged} [logged] every request has a line in access.log
 * @property {Record<string, Route>} [routes] by method and path: `GET /movies/:id`, `GET /feed?since=N`, `POST /movies`
 * @property {Record<string, FormLoad>} loads
 * @property {Record<string, FormGate>} gates
 * @property {Record<string, FormOperation>} [operations] what no route can say
 * @property {FormContract} [contract] the same
 * @property {Clients} [clients] the clients, if answers depend on them
 *
 * @typedef {FormOnly & Omit<Lesson, keyof FormOnly | 'promises'>} FormLesson
 *
 * @typedef {Parameters<Operation['draw']>[0]} DrawGiven
 *
 * @typedef {object} Clients
 * @property {(given: { random: Random, data: any, by?: any }) => any} draw one of them; by: what the value of a route's
 *   parameter says about who has to ask
 * @property {(request: any, client: any, random: Random) => any} sends a request with what the client sends along
 * @property {NonNullable<Operation['headers']>} headers of every answer that must be equal
 * @property {Operation['meaning']} [meaning] what of the body of every answer must be equal, and the JSON under load
 * @property {(client: any, request: { headers: Record<string, string> }) => Record<string, string>} gets the values of
 *   these headers, under load
 * @property {(answer: LoadAnswer, seen: Set<string>) => string | undefined} [wrong] under load: what else is wrong with
 *   an answer; seen: what may not come twice from one server
 *
 * Its rule is its name, if it has no other, and so is the effect of one that touches others; one that has nothing else
 * is what it draws.
 * @typedef {Operation['draw'] | Omit<Operation, 'rule'> & { rule?: string }} FormOperation
 *
 * Checks, or by when they run what they run by their names. `always` is before and after; `apart` is before, while the
 * others run, on servers that they start with `another`. One that is `timed` says so next to its `run`.
 * @typedef {'always' | 'before' | 'apart' | 'during' | 'after'} Moment
 * @typedef {Check[] | { [when in Moment]?: Record<string, Check['run'] | Pick<Check, 'timed' | 'run'>> }} FormContract
 *
 * What every reader of a state is handed: all files, as they are after the writes so far.
 * @typedef {any} State
 *
 * @typedef {object} Route
 * @property {string} rule what its answer must be: `sends one film`
 * @property {number} [weight] how often it is asked in a sequence, default 1
 * @property {number} [least] so often in every sequence, default 1
 * @property {Operation['headers']} [headers] further ones that must be equal
 * @property {Operation['meaning']} [meaning]
 * @property {(state: State, value: any, client?: any) => unknown} [is] of a read: the JSON that it shows, or a
 *   `reply`; value: of its parameter, or, with `anyQuery`, its URL; client: one of `clients`; undefined: 404
 * @property {any} [always] of a read: the JSON that it always shows, or a function of value and client
 * @property {boolean} [anyQuery] of a read: it takes any query string
 * @property {boolean | 'strong'} [tagged] it has an ETag, and answers conditional requests
 * @property {Record<string, string>} [sends] headers, in lower case, of its 200 and 304 under load
 * @property {string[]} [encodings] that it compresses with: `['gzip']`; which of them a client gets is compared where
 *   `headers` has `content-encoding`
 * @property {number} [compressedTo] the share of the bytes that a compressed answer has at most: a client that accepts
 *   one encoding gets it
 * @property {(given: ValueGiven) => any} [good] a value of its parameter; an object can say more of the request
 *   (`path`, `method`, `headers`, `by` for `clients`) and what `is` wants to know
 * @property {(given: ValueGiven) => any} [near] the same after a write: one that it may concern. Default: `good`
 * @property {Values} [bad] values that it refuses
 * @property {'number' | 'key' | Values | true} [odd] what its parameter is, or values that only careless code takes for
 *   one: `wrongRule` refuses those that the slow server refuses; true: its `draw` draws these
 * @property {string} [wrongRule] the rule that refuses them, or that refuses `wrong`
 * @property {number} [wrongWeight] default 1
 * @property {(value: any, client?: any) => unknown} [refusal] under load: the `reply` to one of these
 * @property {string} [effect] of a write: what later reads must show: `shows a new film in the very next read`
 * @property {(random: Random, given: { sent: any[], state: State, asked?: Asked }) => any} [body] of a write: the JSON
 *   to send; sent: what was sent before, the newest last
 * @property {Route['body']} [underLoad] the same under load, and where no body may be sent twice. Default: `body`
 * @property {(sent: any, random: Random) => { headers: Record<string, string>, body: string }} [written] of a write,
 *   in a sequence: its JSON as text
 * @property {string[]} [touches] of a write: what is asked after it. Default: every read with an `is`
 * @property {(random: Random, body: any) => unknown[]} [wrong] of a write: bodies that it refuses
 * @property {'as wrong' | false} [broken] how it refuses what is not JSON, default: any 4xx; false: no text says
 * @property {(state: State, sent: any) => State} [then] of a write: the state after it
 * @property {(state: State, sent: any, client?: any) => unknown} [answers] of a write: the JSON that it answers, from
 *   the state after it
 * @property {number} [status] of a write: default 201
 * @property {(state: State) => string} [location] of a write: where its Location leads
 * @property {(given: DrawGiven) => Drawn} [draw] as of an operation, in place of `good` and
 *   `near`, or `body`
 * @property {boolean} [loose] as of an operation
 * @property {(given: { random: Random, data: any, model: any }) => OwnItem} [item] under load, in place of all above
 * @property {Record<string, Case>} [cases] further ways to ask it, by their rules: what is drawn, or a `value` of its
 *   parameter
 *
 * A value of the parameter (of several: the query string), or a request, of which the route's method and path can be
 * left out.
 * @typedef {string | number | { path?: string, headers?: Record<string, string>, json?: unknown, body?: string } |
 *   ((answerOf: (step: Step) => Answer) => any) | null} Drawn
 *
 * An item, of which the route's method and path can be left out; status: default 200, of a write 201; shows: the JSON
 * of the answer; check: what else is wrong with it.
 * @typedef {Partial<Item> & { status?: number, shows?: () => unknown }} OwnItem
 *
 * @typedef {object} LoggedOnly
 * @property {(random: Random) => (request: any) => any} ids gives a request an X-Request-Id, or another mark
 * @property {(given: { random: Random, data: any }) => string} path of a request that costs little
 * @property {{ method: string, path: string }} half a request whose body is awaited
 * @property {number} [weight] how often a sequence looks at the log
 * @property {boolean} [isOrdered] a client that waits for its answers finds its lines in their order
 * @property {(given: { data: any }) => (line: any) => boolean} [isRight] is this line of the load right?
 *
 * Further ones are those of lookAtLog() of `make-it-fast/shared/log-file.js`.
 * @typedef {LoggedOnly & Partial<Pick<Parameters<typeof lookAtLog>[0], 'keyOf' | 'isOf' | 'read' | 'leastMs'>>} Logged
 *
 * After a write: the name of its operation, and what it has sent (under load, the last one).
 * @typedef {{ random: Random, state: State, asked?: Asked, after?: string, about?: any }} ValueGiven
 *
 * value: of the parameter; null: there is nothing to ask yet. about: what the last write has sent, where it has to be
 * seen.
 * @typedef {Route['draw'] | Way | Omit<Route, 'rule' | 'cases'> & { rule?: string, value?: undefined }} Case
 *
 * @typedef {{ weight?: number, value: (given: Required<Omit<ValueGiven, 'after' | 'about'>> & { about?: any }) => any
 *   }} Way
 *
 * What an operation was asked before, by the values of its parameter, or by what was sent. In a sequence only.
 * @typedef {(name: string) => any[]} Asked
 *
 * @typedef {any[] | ((random: Random) => any[])} Values
 *
 * @typedef {object} FormLoadOnly
 * @property {Record<string, number>} [mix] how many of each, by a route and how it is asked: `GET /movies`,
 *   `GET /feed gzip`, `GET /movies again` (with the ETag of the last answer), `GET /seed new` (with a query string of
 *   its own), `GET /seed new again` (with `*`), `POST /movies, wrong`; or by the rule of a case
 * @property {number} [near] how many of the reads with a parameter request a value that is `near`, default 1 / 2
 * @property {string | Record<string, number>} [alongside] a route that's requested 50 times a second, as a probe, or
 *   `{ 'GET /healthz': 60 }`
 * @property {number} [connections] default 8
 *
 * A mix, or a stream as in a lesson.
 * @typedef {FormLoadOnly & Omit<Partial<Load>, keyof FormLoadOnly>} FormLoad
 *
 * @typedef {object} FormGateOnly
 * @property {number | Gate['tiers']} [rate] the target of a gate on requests/s, or its tiers
 * @property {number} [p99] the target of a gate on the 99th percentile of the latency
 * @property {string} [load] default: the first
 * @property {string} look
 *
 * @typedef {FormGateOnly & Omit<Partial<Gate>, 'name' | keyof FormGateOnly>} FormGate
 *
 * @typedef {object} ParsedOnly
 * @property {Record<string, Way>} [ways] of a read: its cases with a value
 * @property {string} name `GET /feed?since=N`, or the rule of a case
 * @property {string} row of the route in the text's table: its name
 * @property {string} method
 * @property {boolean} isRead
 * @property {boolean} hasParameter
 * @property {(value?: any) => string} url
 * @property {NonNullable<Route['body']>} body
 * @property {NonNullable<Route['body']>} underLoad
 * @property {boolean} sendsBody
 *
 * @typedef {Route & ParsedOnly} ParsedRoute
 */
export {}
