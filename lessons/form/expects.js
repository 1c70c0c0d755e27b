import { plainText } from '../../runner/shared/http-fields.js'
import { urlOf } from '../shared/urls.js'
import { wrongReply } from './replies.js'
import { valueOf } from './requests.js'
import { stateAfter } from './routes.js'

/**
 * The model of a form (`is`, `then`, `answers`), held against the slow server's answers in a sequence: there one thing
 * happens at a time, so the state is known. Pure.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Operation } from '../../runner/lesson/index.js'
 * @import { Seen } from './replies.js'
 * @import { ParsedRoute } from './types.js'
 */

/**
 * @param {ParsedRoute} route whose reads don't depend on the client
 * @param {readonly ParsedRoute[]} routes
 * @returns {NonNullable<Operation['expects']>}
 */
export function expectsOf (route, routes) {
  const { name, isRead, anyQuery, is, answers, status = 201, meaning } = route
  return (step, answer, { data, accepted }) => {
    const { asked } = step
    // What follows from earlier answers is conditional.
    if (typeof asked === 'function' || answer.status === 304) return null
    const given = anyQuery ? urlOf(step) : valueOf(asked)
    const writes = accepted.map(({ name, asked }) => ({ name, sent: valueOf(asked) }))
    const stateBefore = stateAfter(routes, data, writes)
    const shown = isRead
      ? is?.(stateBefore, typeof given === 'object' ? given : String(given ?? ''))
      : answers?.(stateAfter(routes, stateBefore, [{ name, sent: given }]), given)
    return wrongReply(readable(answer), [shown], { status: isRead ? 200 : status, meaning }) ?? null
  }
}

/** Decoded. @param {Pick<Answer, 'status' | 'headers' | 'body'>} answer @returns {Seen} */
export function readable ({ status, headers, body }) {
  const text = () => plainText(body, headers['content-encoding'])
  return { status, headers, text, json: () => JSON.parse(text()) }
}
