/**
 * Rules that follow from a word in a route, each with where a text promises it. Pure.
 *
 * @typedef {{ rule: string, words: RegExp }} DerivedRule words: in the text without marks, in one line
 */

const whileCurrent = /304[^.|]*?current[^.;|]*/

export const derived = /** @satisfies {Record<string, DerivedRule>} */ ({
  copies: {
    rule: 'answers 304 to a client whose copy is current, and the content to any other',
    words: whileCurrent
  },
  alike: {
    rule: 'answers the content to a tag that only looks like the current one',
    words: whileCurrent
  },
  tags: {
    rule: 'never gives two contents the same ETag, also when it was started anew',
    words: /[^.]*never have the same ETag[^.]*\./i
  },
  forms: {
    rule: 'never gives two forms of a content the same strong ETag',
    words: /[^.]*never have the same strong[^.]*\./i
  },
  urls: {
    rule: 'answers each URL for itself, however alike they are',
    words: /[^.|]*any query string[^.|]*/
  },
  allUrls: {
    rule: 'shows a write under every URL, however many were asked for',
    words: /[^.|]*very next read[^.:]*/
  },
  refused: { rule: 'keeps what it has when it refuses', words: /[^.,]*(?:refused changes nothing|nothing changes)/i },
  broken: { rule: 'refuses a body that is not JSON', words: /[^.]*not JSON gets a 4xx/i }
})
