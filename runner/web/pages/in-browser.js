import { html, withCode } from '../../report/index.js'

/** @import { Html } from '../../report/index.js' */

/** What sentences for a terminal name, and what the browser has instead. @type {[RegExp, (slug: string) => Html][]} */
const places = [
  [/`?npm run doctor`?/, () => html`<a href="/#machine">the check of this machine</a>`],
  [/`?npm run hint \S+`?/, () => html`<a href="#panel-hints">take a hint</a>`],
  [/`?(?:solutions\/[\w-]+\/README\.md|npm run solution [\w-]+)`?/, (slug) =>
    html`<a href="/lessons/${slug}/compare?with=solution">the solution</a>`],
  [/go on with the rounds you have: `?npm run [^`]*--more`?/i, () => html`measure longer`],
  [/run the check again with more time: `?-- --seconds \d+`?/i, () => html`run the check again`],
  [/`?npm run list`?/, () => html`<a href="/">the first page</a>`]
]

/**
 * A sentence that was written for a terminal, for a page: what it names is linked, and commands are code.
 *
 * @param {string} sentence what's between backticks is code
 * @param {string} slug of the lesson
 * @returns {Html}
 */
export function inBrowser (sentence, slug) {
  for (const [pattern, link] of places) {
    const found = pattern.exec(sentence)
    if (found === null) continue
    const [before, after] = [sentence.slice(0, found.index), sentence.slice(found.index + found[0].length)]
    return html`${inBrowser(before, slug)}${link(slug)}${inBrowser(after, slug)}`
  }
  return withCode(sentence.replace(/(?<!`)npm run [\w-]+( [\w-]+)*( -- --\S+)?(?!`)/g, '`$&`'))
}
