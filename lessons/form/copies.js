import { goodCondition, opaque, wrongNotModified } from '../shared/conditions.js'

/**
 * What clients keep, under load, of answers with a parameter: the content of each ETag. A content is the text of
 * its JSON, as the lesson's model has it.
 *
 * @import { LoadAnswer, Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ value: any, path: string, etag: string, content: string }} Copy
 */

/** Of each route and encoding. */
const mostKept = 60

export class Copies {
  /** The newest last. @type {Map<string, Copy[]>} */
  #kept = new Map()

  /** One of those kept, if any. @param {string} kind of a route and an encoding @param {Random} random */
  pick (kind, random) {
    const kept = this.#kept.get(kind)
    return kept && random.pick(kept)
  }

  /**
   * What is wrong with the tag of a right answer, which is kept otherwise.
   *
   * @param {string} kind
   * @param {{ value: any, path: string, contents: readonly string[] }} read contents: that it may show
   * @param {LoadAnswer} answer
   */
  learn (kind, { value, path, contents }, { status, headers: { etag } }) {
    if (status !== 200 || etag === undefined || contents.length !== 1) return
    const [content] = contents
    const kept = this.#kept.get(kind) ?? []
    const known = kept.find((copy) => copy.path === path && opaque(copy.etag) === opaque(etag))
    if (known === undefined) this.#kept.set(kind, [...kept, { value, path, etag, content }].slice(-mostKept))
    else if (known.content !== content) return `the ETag ${etag} came with two different answers`
  }
}

/** @param {Copy} copy @param {Random} random */
export function conditionOf ({ etag }, random) {
  return { 'if-none-match': random.next() < 0.1 ? goodCondition(random, etag) : etag }
}

/**
 * Is 304 the answer to a condition, and is it one? Undefined: another answer is, and has to be right.
 *
 * @param {Copy} copy
 * @param {readonly string[]} contents that an answer may show
 * @param {LoadAnswer} answer
 * @returns {{ wrong: string | undefined } | undefined}
 */
export function judgeCondition ({ etag, content }, contents, answer) {
  if (answer.status !== 304) {
    return contents.every((one) => one === content)
      ? { wrong: `expected 304 to the current ETag ${etag}, got ${answer.status}` }
      : undefined
  }
  if (!contents.includes(content)) {
    return { wrong: `answered 304 to an old ETag, ${etag}, though a write was acknowledged before the read` }
  }
  return { wrong: wrongNotModified(answer, etag) }
}
