import { isDeepStrictEqual } from 'node:util'
import { plainText } from '../../runner/shared/http-fields.js'
import { createRandom } from '../../runner/shared/random.js'
import { countDrawn } from '../shared/answers.js'
import { anyCondition, askAlike, copiesOf, wrongTag } from '../shared/conditions.js'
import { anyUrl, urlOf } from '../shared/urls.js'
import { crossing } from './crossing.js'
import { expectsOf } from './expects.js'
import { leastBroken, noObjects, notJson, oddKeys, oddNumbers } from './kinds.js'
import { askedBefore, changeAsked, drawnWith, headersOf, readOf, requestOf, valueOf, writeOf } from './requests.js'
import { derived } from './rules.js'
import { ifChanged, shownBy, stateAfter, valuesOf, writesOf } from './routes.js'

/**
 * The requests of a sequence. The slow server knows the right answers; this only knows what to request. Pure.
 *
 * @import { Answer, Asked } from '../../runner/contract/index.js'
 * @import { Operation, Random, Step } from '../../runner/lesson/index.js'
 * @import { DrawGiven, ParsedRoute, Values } from './types.js'
 */

const strongTag = { name: 'etag', read: (/** @type {string | undefined} */ etag) => wrongTag(etag, true) }

/** HTTP lets a server send content as it is. What a client doesn't accept is refused for all lessons. */
const anyEncoding = { name: 'content-encoding', read: () => null }

/** How many of the requests that no tag concerns carry one, where that's still the tag, and where it isn't. */
const [tagShare, oldTagShare] = [0.8, 0.2]
/** … and how many of the writes any copy. */
const starShare = 0.15

/**
 * @param {readonly ParsedRoute[]} routes
 * @param {Record<string, Operation>} own those that the lesson draws itself
 * @returns {Record<string, Operation>}
 */
export function operationsOf (routes, own) {
  return Object.fromEntries([
    ...routes.flatMap((route) => {
      const crossed = crossing(route, routes, headersToCompare(route))
      if (route.draw !== undefined) return [[route.name, drawing(route, route.draw)], ...crossed]
      return route.isRead ? [...reading(route, routes), ...crossed] : writing(route, routes)
    }),
    ...Object.entries(own).map(([name, operation]) => [name, mostlyTagged(operation, routes)])
  ])
}

/**
 * Nor does a tag concern what a lesson draws itself, unless it's another read of what has the tag.
 *
 * @param {Operation} operation @param {readonly ParsedRoute[]} routes @returns {Operation}
 */
function mostlyTagged (operation, routes) {
  const paths = routes.flatMap((route) => route.tagged ? [route.url()] : [])
  if (operation.touches !== undefined || paths.length === 0) return operation
  const isOther = (/** @type {any} */ asked) => asked?.path !== undefined && asked.headers === undefined &&
    (asked.method !== undefined || !paths.includes(asked.path.split('?')[0]))
  return {
    ...operation,
    draw: (given) => {
      const asked = operation.draw(given)
      return isOther(asked) ? withTag(asked, given, routes) : asked
    }
  }
}

/** @param {ParsedRoute} route @param {NonNullable<ParsedRoute['draw']>} draw @returns {Operation} */
function drawing (route, draw) {
  const { rule, weight, least, meaning = route.encodings && meaningOf, effect, touches, loose } = route
  const odd = route.odd === true || undefined
  const headers = headersToCompare(route)
  const asked = (/** @type {DrawGiven} */ given) =>
    changeAsked(draw(given), (one) => requestOf(route, one))
  return { rule, weight, least, headers, meaning, effect, touches, loose, odd, draw: asked }
}

/** @param {ParsedRoute} route @param {readonly ParsedRoute[]} routes @returns {[string, Operation][]} */
function reading (route, routes) {
  const { name, rule, weight = 1, tagged, encodings, ways = {} } = route
  const headers = [...headersToCompare(route) ?? [], ...tagged === 'strong' ? [strongTag] : []]
  const meaning = route.meaning ?? (encodings ? meaningOf : undefined)
  const usual = { ...tagged && { tagged: true }, headers, ...meaning && { meaning } }
  const shows = { ...usual, ...route.is && { expects: expectsOf(route, routes) } }
  return [
    [name, {
      ...shows,
      rule,
      weight,
      draw: (given) => {
        const asked = readAny(route, routes, given)
        return tagged ? asked : withTag(asked, given, routes)
      }
    }],
    ...Object.entries(ways).map(([rule, { weight, value }]) => /** @type {[string, Operation]} */ ([rule, {
      ...shows,
      rule,
      weight,
      draw: (given) => {
        const drawn = value(givenOf(routes, given))
        return drawn === null ? null : readOf(route, drawn, given.random.pick(accepted(encodings)))
      }
    }])),
    ...wrongly(route, routes),
    ...tagged ? again(route, routes, usual) : []
  ]
}

/** @param {ParsedRoute} route @param {readonly ParsedRoute[]} routes @param {DrawGiven} given */
function readAny (route, routes, given) {
  const { random, past, about } = given
  const forms = accepted(route.encodings)
  const isGiven = route.hasParameter || (route.good !== undefined && random.next() < 0.5)
  if (isGiven) return readOf(route, valueFor(route, routes, given), random.pick(forms))
  const isAny = route.anyQuery && !(about && random.next() < 0.5)
  return readOf(route, isAny ? { path: anyUrl(route.url(), random, past(route.name)) } : '', random.pick(forms))
}

/** @param {ParsedRoute} route @param {readonly ParsedRoute[]} routes @param {DrawGiven} given @returns {unknown} */
function valueFor ({ good = () => '', near = good }, routes, given) {
  return (given.about ? near : good)({ ...givenOf(routes, given), after: given.about?.name })
}

/** @param {readonly ParsedRoute[]} routes @param {DrawGiven} given */
function givenOf (routes, { random, data, past, about }) {
  return {
    random,
    state: stateAfter(routes, data, writtenIn(routes, past, about)),
    asked: askedBefore(past, routes),
    about: about && valueOf(about.asked)
  }
}

/**
 * Reads of what isn't there or isn't valid, and of what only careless code takes.
 *
 * @param {ParsedRoute} route
 * @param {readonly ParsedRoute[]} routes
 * @returns {[string, Operation][]}
 */
function wrongly (route, routes) {
  const { name, rule, bad, odd, wrongRule = rule, wrongWeight = 1, tagged, encodings } = route
  const values = typeof odd === 'string' ? oddOf[odd] : odd !== true && odd
  /** @type {(key: string, values: Values, more: Partial<Operation>) => [string, Operation]} */
  const refusing = (key, values, more) => [key, {
    rule: wrongRule,
    ...more,
    least: valuesOf(values, createRandom('how many')).length,
    draw: (given) => {
      const { random, past } = given
      // One after the other: each tells something that the others don't.
      const all = valuesOf(values, random)
      const count = countDrawn(past(key))
      const asked = readOf(route, all[count % all.length], random.pick(accepted(encodings)))
      if (tagged || !routes.some(({ tagged }) => tagged)) return asked
      // Not always a value with the same one: any tag, another route's, none.
      const way = (count + Math.floor(count / all.length)) % 3
      if (way === 0) return { ...asked, headers: { ...asked.headers, 'If-None-Match': '*' } }
      return way === 1 ? withTag(asked, given, routes, 1) : asked
    }
  }]
  return [
    ...bad ? [refusing(`${name}, wrong`, bad, { weight: wrongWeight })] : [],
    ...values ? [refusing(`${name}, odd`, values, { weight: 0.01, odd: true })] : []
  ]
}

/** @type {Record<string, (random: Random) => string[]>} by the kind of a parameter */
const oddOf = {
  // The last one is small if only 32 bits are looked at.
  number: (random) => [...oddNumbers(random), String(2 ** 32 + random.int(1, 3))],
  key: (random) => oddKeys(random)
}

/**
 * Reads with the tag of an earlier answer.
 *
 * @param {ParsedRoute} route
 * @param {readonly ParsedRoute[]} routes
 * @param {Partial<Operation>} usual
 * @returns {[string, Operation][]}
 */
function again (route, routes, usual) {
  const { name, weight = 1, hasParameter } = route
  const writeNames = writesOf(routes).map(({ name }) => name)
  const nearOf = (/** @type {DrawGiven} */ given) =>
    hasParameter ? route.url(valueFor(route, routes, given)) : undefined
  return [
    [ifChanged(name), {
      ...usual,
      rule: derived.copies,
      weight: weight * 3,
      draw: conditional(name, writeNames, nearOf)
    }],
    [`${name}, alike`, {
      rule: derived.alike,
      weight: weight * 2,
      draw: ({ random, past }) => askAlike(random, past(name))
    }]
  ]
}

/**
 * Asks with the ETags of earlier answers; after a write, with those of copies from before it.
 *
 * @param {string} name
 * @param {string[]} writeNames
 * @param {(given: DrawGiven) => string | undefined} nearOf the URL that a write concerns
 * @returns {Operation['draw']}
 */
function conditional (name, writeNames, nearOf) {
  return (given) => {
    const { random, past, about } = given
    const writes = writeNames.flatMap(past).sort((a, b) => a.id - b.id)
    const all = copiesOf(past(name), writes).filter(({ id }) => about === undefined || id < about.id)
    if (all.length === 0) return null
    const near = about && nearOf(given)
    const concerned = all.filter((step) => urlOf(step) === near)
    const copies = concerned.length > 0 ? concerned : all
    const last = copies[copies.length - 1]
    const one = random.pick([last, last, random.pick(copies)])
    // A tag belongs to one form, and one coding, of the content of one URL.
    const formOf = (/** @type {Step} */ step) => [urlOf(step), headersOf(step), step.transport?.accepts]
    const alike = copies.filter((step) => isDeepStrictEqual(formOf(step), formOf(one)))
    const other = random.pick(alike)
    const condition = anyCondition(random)
    const hasAll = about !== undefined && random.next() < 0.7
    return (answerOf) => {
      const tagOf = (/** @type {Step} */ step) => answerOf(step).headers.etag
      const [tag, another] = [one, other].map(tagOf)
      if (!tag || !another) return null
      const asked = hasAll ? { 'If-None-Match': alike.map(tagOf).join(', ') } : condition(tag, another)
      return { path: urlOf(one), headers: { ...headersOf(one), ...asked } }
    }
  }
}

/** @param {ParsedRoute} route @param {readonly ParsedRoute[]} routes @returns {[string, Operation][]} */
function writing (route, routes) {
  const { name, method, rule, effect, weight = 4, body, wrong, wrongRule = rule, broken, url } = route
  const { touches = shownBy(routes), wrongWeight = 1 } = route
  const path = url()
  const meaning = route.meaning && { meaning: route.meaning }
  const whole = shownBy(routes).filter((name) => !name.includes(':'))
  const refused = { ...meaning, effect: derived.refused, touches: whole.length > 0 ? whole : shownBy(routes) }
  /** @type {[string, Operation][]} */
  const found = [[name, {
    rule,
    weight,
    ...effect !== undefined && { effect, touches },
    ...meaning,
    ...route.answers && { expects: expectsOf(route, routes) },
    draw: ({ random, data, past }) => {
      const written = writtenIn(routes, past)
      const sent = written.filter((write) => write.name === name).map(({ sent }) => sent)
      const given = { sent, state: stateAfter(routes, data, written), asked: askedBefore(past, routes) }
      const asked = writeOf(route, body(random, given), random)
      // To a PUT it's a condition as well.
      if (method !== 'POST' || !routes.some(({ tagged }) => tagged)) return asked
      if (random.next() < starShare) return { ...asked, headers: { ...asked.headers, 'If-None-Match': '*' } }
      return withTag(asked, { random, past }, routes)
    }
  }]]
  if (wrong !== undefined) {
    if (route.sendsBody && broken !== false) found.push(withoutFields(route, refused))
    found.push([`${name}, wrong`, {
      ...refused,
      rule: wrongRule,
      weight: wrongWeight,
      draw: ({ random, data, past }) => {
        const bodies = wrong(random, body(random, { sent: [], state: data }))
        return { method, path, json: bodies[countDrawn(past(`${name}, wrong`)) % bodies.length] }
      }
    }])
  }
  if (route.sendsBody && broken !== false) {
    found.push([`${name}, broken`, {
      ...refused,
      ...broken ? { rule: wrongRule } : { rule: derived.broken, loose: true },
      weight: 0.5,
      least: leastBroken,
      draw: ({ random, data, past }) => {
        const text = notJson(body(random, { sent: [], state: data }), countDrawn(past(`${name}, broken`)))
        return { method, path, headers: { 'Content-Type': 'application/json' }, body: text }
      }
    }])
  }
  return found
}

/** @param {ParsedRoute} route @param {Partial<Operation>} refused @returns {[string, Operation]} */
function withoutFields ({ name: write, method, url, rule, wrongRule = rule }, refused) {
  const name = `${write}, no object`
  return [name, {
    ...refused,
    rule: wrongRule,
    loose: true,
    weight: 0.2,
    least: 2,
    draw: ({ past }) => {
      const body = JSON.stringify(noObjects[countDrawn(past(name)) % noObjects.length])
      return { method, path: url(), headers: { 'Content-Type': 'application/json' }, body }
    }
  }]
}

/**
 * The writes of a sequence so far, in their order.
 *
 * @param {readonly ParsedRoute[]} routes
 * @param {(name: string) => Step[]} past
 * @param {Step} [last] the last one that counts
 */
function writtenIn (routes, past, last) {
  return writesOf(routes).flatMap(({ name }) => past(name)).sort((a, b) => a.id - b.id)
    .filter(({ id }) => last === undefined || id <= last.id)
    .map(({ name, asked }) => ({ name, sent: valueOf(asked) }))
}

/**
 * With the ETag of what another route sends, which is that route's affair alone.
 *
 * @param {any} asked
 * @param {Pick<DrawGiven, 'random' | 'past'>} given
 * @param {readonly ParsedRoute[]} routes
 * @param {number} [share] how often
 * @returns {Asked}
 */
function withTag (asked, { random, past }, routes, share) {
  const [tagged] = routes.filter(({ tagged }) => tagged)
  const read = tagged && past(tagged.name).at(-1)
  if (read === undefined) return asked
  const isOld = writesOf(routes).some(({ name }) => (past(name).at(-1)?.id ?? 0) > read.id)
  if (random.next() >= (share ?? (isOld ? oldTagShare : tagShare))) return asked
  return drawnWith(valueOf(asked), (/** @type {(step: Step) => Answer} */ answerOf) => {
    const tag = answerOf(read).headers.etag
    return tag ? { ...asked, headers: { ...asked.headers, 'If-None-Match': tag } } : asked
  })
}

/**
 * Ways to say what a client accepts (RFC 9110, 12.5.3); the first says nothing.
 *
 * @param {readonly string[]} [encodings] that a route compresses with
 * @returns {Record<string, string>[]} headers
 */
function accepted (encodings = []) {
  if (encodings.length === 0) return [{}]
  const alone = encodings.flatMap((name) =>
    [name, name.toUpperCase(), `deflate,${name};q=0.5`, `${name};q=0`, `${name};q=0.0, compress`, `${name};q=0, *`])
  const orders = [encodings, [...encodings].reverse()]
  const together = encodings.length === 1
    ? []
    : orders.flatMap((names) => [names.join(', '), names.map((name, at) => `${name};q=0.${9 - at}`).join(',')])
  const any = ['identity', 'br;q=0', '*', '*;q=0.3, identity;q=0.5', `identity;q=0.2, ${encodings.join(' , ')};q=0.1`]
  return [{}, ...[...any, ...alone, ...together].map((text) => ({ 'Accept-Encoding': text }))]
}

/** @param {ParsedRoute} route @returns {Operation['headers']} */
function headersToCompare ({ headers, encodings }) {
  return encodings && !headers?.includes('content-encoding') ? [...headers ?? [], anyEncoding] : headers
}

/** @param {Answer} answer */
function meaningOf ({ status, headers, body }) {
  return status === 304 ? '' : JSON.parse(plainText(body, headers['content-encoding']))
}
