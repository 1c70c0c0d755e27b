import { isDeepStrictEqual } from 'node:util'
import { jsonType, leadsTo } from '../shared/answers.js'
import { badQuery, invalidItem, itemToSend, listQuery, makeClient, requestIdOf } from './operations.js'
import { errorBody, meOf, shown, tokens, wrongCors, wrongHeaders } from './reference.js'

/**
 * The load: what the browsers of a shop ask for, with all that browsers send along.
 *
 * @import { Item as Request, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Known } from './data.js'
 * @import { Client } from './operations.js'
 * @import { Item } from './reference.js'
 *
 * @typedef {object} Model what one server must know
 * @property {Item[]} items with every item whose write was started
 * @property {number} acknowledged how many of them every read sent from now on must know
 * @property {Set<string>} requestIds those that the server made up
 * @property {(Client & { me: object | null })[]} clients me: what `GET /me` has to answer; null when it has to be 401
 *
 * @typedef {{ status: number, code?: string, fields?: string[], bodies?: () => object[], headers?: Record<string,
 *   string>, location?: string }} Expected bodies: the possible ones
 */

/**
 * @param {{ data: Known }} given
 * @returns {Model}
 */
export function makeModel ({ data }) {
  return { items: [...data.items], acknowledged: data.items.length, requestIds: new Set(), clients: [] }
}

/** @type {Stream} */
export function traffic ({ random, data, model }) {
  if (model.clients.length === 0) {
    model.clients = Array.from({ length: 60 }, () => {
      const client = makeClient(random, data)
      return { ...client, me: client.session && meOf(client.session, data.flags) }
    })
  }
  const ask = asker(random, model)
  return () => {
    const draw = random.next()
    if (draw < 0.45) return readItem(random, model, ask)
    if (draw < 0.68) return readList(random, model, ask)
    if (draw < 0.92) return readMe(ask)
    if (draw < 0.94) return ask({ path: `/${random.word(6)}` }, { status: 404, code: 'route_not_found' })
    if (draw < 0.96) return ask({ path: `/items/${random.int(1e7, 1e8)}` }, { status: 404, code: 'item_not_found' })
    if (draw < 0.97) {
      const { path, fields } = badQuery(random)
      return ask({ path }, { status: 400, code: 'invalid_query', fields })
    }
    if (draw < 0.98) {
      const { sent: json, fields } = invalidItem(random)
      return ask({ method: 'POST', path: '/items', json }, { status: 422, code: 'invalid_item', fields })
    }
    return model.acknowledged === model.items.length ? write(random, model, ask) : readItem(random, model, ask)
  }
}

/**
 * @param {Random} random
 * @param {Model} model
 */
function asker (random, model) {
  /**
   * @param {{ method?: string, path: string, json?: unknown }} request
   * @param {Expected | ((client: Model['clients'][number]) => Expected)} wanted
   * @param {(answer: LoadAnswer) => void} [answered]
   * @returns {Request}
   */
  return (request, wanted, answered) => {
    const client = random.pick(model.clients)
    const { headers, fit: requestId } = requestIdOf(random)
    const expected = typeof wanted === 'function' ? wanted(client) : wanted
    return {
      ...request,
      headers: { ...client.headers, ...headers },
      answered,
      check: (answer) => wrongAnswer(answer, expected, client) ??
        wrongHeaders(answer, { requestId, language: client.language }) ??
        wrongCors(answer, client) ??
        (requestId === undefined ? usedBefore(model, answer) : undefined)
    }
  }
}

/** @param {Model} model @param {LoadAnswer} answer */
function usedBefore ({ requestIds }, { headers }) {
  const id = headers['x-request-id']
  if (requestIds.has(id)) return `the request id ${id} was given to another request before`
  requestIds.add(id)
}

/**
 * @param {LoadAnswer} answer
 * @param {Expected} expected
 * @param {Client} client
 */
function wrongAnswer (answer, { status, code, fields, bodies, headers = {}, location }, { language }) {
  if (answer.status !== status) return `expected status ${status}, got ${answer.status}`
  const type = answer.headers['content-type'] ?? 'none'
  if (!jsonType.test(type)) return `expected Content-Type application/json, in UTF-8, got ${type}`
  for (const [name, value] of Object.entries(headers)) {
    const [wanted, got] = [value, answer.headers[name]].map((list) => `${tokens(list).sort()}`)
    if (wanted !== got) return `expected ${name}: ${value}, got ${answer.headers[name] ?? 'none'}`
  }
  if (location && !leadsTo(answer.headers.location, '/items', location)) {
    return `expected a Location that leads to ${location}, got ${answer.headers.location ?? 'none'}`
  }
  const possible = code ? [errorBody(code, language, answer.headers['x-request-id'], fields)] : bodies?.() ?? []
  const text = answer.text()
  if (possible.some((body) => JSON.stringify(body) === text)) return
  const got = answer.json()
  got.error?.fields?.sort()
  if (possible.some((body) => isDeepStrictEqual(JSON.parse(JSON.stringify(body)), got))) return
  return `expected ${brief(JSON.stringify(possible[0]))}, got ${brief(text)}`
}

/** @param {string} text */
function brief (text) {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

/** @typedef {ReturnType<typeof asker>} Ask */

/** @param {Random} random @param {Model} model @param {Ask} ask */
function readItem (random, model, ask) {
  // One in eight asks for the item that was written last.
  const id = random.int(1, 8) === 1 ? model.acknowledged : random.int(1, model.acknowledged)
  return ask({ path: `/items/${id}` }, ({ language }) => ({
    status: 200,
    bodies: () => [shown(model.items[id - 1], language)]
  }))
}

/** @param {Random} random @param {Model} model @param {Ask} ask */
function readList (random, model, ask) {
  const query = listQuery(random)
  const oldest = model.acknowledged
  let newest = oldest
  const bodies = () =>
    Array.from({ length: newest - oldest + 1 }, (_, more) => list(model.items.slice(0, oldest + more), query))
  return ask({ path: query.path }, { status: 200, bodies }, () => { newest = model.items.length })
}

/** @param {Item[]} items @param {ReturnType<typeof listQuery>} query */
function list (items, { category: wanted, q, offset, limit }) {
  const found = items.filter(({ name, category }) =>
    (wanted === '' || category === wanted) && name.toLowerCase().includes(q.toLowerCase()))
  return {
    total: found.length,
    items: found.slice(offset, offset + limit).map(({ id, name, category, price }) => ({ id, name, category, price }))
  }
}

/** @param {Ask} ask */
function readMe (ask) {
  return ask({ path: '/me' }, ({ me }) => me
    ? { status: 200, bodies: () => [me], headers: { 'cache-control': 'private, no-store' } }
    : { status: 401, code: 'not_signed_in' })
}

/** @param {Random} random @param {Model} model @param {Ask} ask */
function write (random, model, ask) {
  const { sent, kept } = itemToSend(random)
  const item = { id: model.items.length + 1, ...kept }
  model.items.push(item)
  return ask({ method: 'POST', path: '/items', json: sent }, ({ language }) => ({
    status: 201,
    bodies: () => [shown(item, language)],
    location: `/items/${item.id}`
  }), ({ status }) => {
    // A write that failed stays on its way: later reads may show it or not, and the check reports it.
    if (status === 201) model.acknowledged = item.id
  })
}
