import { headProblem } from './answers.js'
import { goodCondition, opaque, wrongNotModified } from './conditions.js'

/**
 * @import { Item, LoadAnswer, Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ from: number, to: number }} Window the versions that an answer may show
 *
 * The version that a body shows, or what is wrong with it.
 * @typedef {(body: Buffer, window: Window) => number | string} VersionOf
 */

/**
 * What clients know, under load, of something that is written now and then, while many read it and ask whether it has
 * changed. Versions count up; one write is on its way at a time.
 */
export class Versions {
  /** The version that a URL's ETag identified. @type {Map<string, number>} */
  #stoodFor = new Map()
  /** By URL: ETags whose version is certain, newest last. @type {Map<string, { etag: string, version: number }[]>} */
  #learnt = new Map()
  /** Every read that is sent from now on must show it, or a later one. */
  acknowledged = 0
  /** The last one whose write was sent: reads may show it already. */
  started = 0

  get isWriting () {
    return this.started > this.acknowledged
  }

  /**
   * A write that fails stays on its way: later reads may show it or not, and its own check reports it.
   *
   * @param {Pick<Item, 'method' | 'path' | 'json'>} request
   * @param {number} status
   * @param {(answer: LoadAnswer) => string | undefined} wrong
   * @returns {Item}
   */
  write (request, status, wrong) {
    const version = ++this.started
    return {
      ...request,
      answered: (answer) => { if (answer.status === status) this.#acknowledge(version) },
      check: (answer) => answer.status === status ? wrong(answer) : `expected status ${status}, got ${answer.status}`
    }
  }

  /**
   * @param {string} path
   * @param {VersionOf} versionOf
   * @param {boolean} [again] it's requested more than once
   * @returns {Item}
   */
  read (path, versionOf, again = true) {
    const window = this.#open()
    return {
      path,
      key: again ? `${path} ${window.from}` : undefined,
      answered: (answer) => this.#close(window, path, answer, again),
      check: (answer) => this.#wrongContent({ window, path, again, versionOf }, answer)
    }
  }

  /**
   * Asks whether it has changed since it was read last, or, now and then, since an earlier time.
   *
   * @param {string} path
   * @param {VersionOf} versionOf
   * @param {Random} random
   * @returns {Item}
   */
  revalidate (path, versionOf, random) {
    const tags = this.#learnt.get(path)
    if (!tags) return this.read(path, versionOf)
    const { etag, version } = random.next() < 0.01 ? random.pick(tags) : tags[tags.length - 1]
    const window = this.#open()
    return {
      path,
      headers: { 'if-none-match': random.next() < 0.1 ? goodCondition(random, etag) : etag },
      key: `${path} if changed since ${version}, now ${window.from}`,
      answered: (answer) => this.#close(window, path, answer, true),
      check: (answer) => {
        if (answer.status !== 304) {
          return version === window.to
            ? `expected 304 to the current ETag ${etag}, got ${answer.status}`
            : this.#wrongContent({ window, path, again: true, versionOf }, answer)
        }
        if (version < window.from) {
          return `answered 304 to an old ETag, ${etag}, though a write was acknowledged before the read`
        }
        return wrongNotModified(answer, etag)
      }
    }
  }

  /** @param {number} version */
  #acknowledge (version) {
    this.acknowledged = Math.max(this.acknowledged, version)
  }

  /** What an answer may show: from what was acknowledged when it was requested … @returns {Window} */
  #open () {
    return { from: this.acknowledged, to: this.acknowledged }
  }

  /**
   * … to what was on its way when it came. Where both are one, its ETag belongs to that version.
   *
   * @param {Window} window
   * @param {string} path
   * @param {LoadAnswer} answer
   * @param {boolean} again
   */
  #close (window, path, { status, headers }, again) {
    window.to = this.started
    if (!again || status !== 200 || !headers.etag || window.from !== window.to) return
    const tags = this.#learnt.get(path) ?? []
    if (tags.at(-1)?.version === window.to) return
    tags.push({ etag: headers.etag, version: window.to })
    if (tags.length > 5) tags.shift()
    this.#learnt.set(path, tags)
  }

  /**
   * @param {{ window: Window, path: string, again: boolean, versionOf: VersionOf }} read
   * @param {LoadAnswer} answer
   */
  #wrongContent ({ window, path, again, versionOf }, answer) {
    const wrong = headProblem(answer)
    if (wrong) return wrong
    const version = versionOf(answer.body, window)
    if (typeof version === 'string') return version
    // The end of a slice can cut off a write's own answer; an answer that shows it tells as much.
    this.#acknowledge(version)
    // Without a tag nothing is claimed.
    if (answer.headers.etag === undefined) return
    const key = `${path} ${opaque(answer.headers.etag)}`
    const known = this.#stoodFor.get(key) ?? version
    if (again) this.#stoodFor.set(key, version)
    if (known !== version) return `the ETag ${answer.headers.etag} came with two different answers`
  }
}
