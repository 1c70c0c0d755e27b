/** Rules that follow from a word in a route. */
export const derived = {
  copies: 'answers 304 to a client whose copy is current, and the content to any other',
  alike: 'answers 304 to no tag that only looks like the current one',
  tags: 'never gives two contents the same ETag, also when it was started anew',
  forms: 'never gives two forms of a content the same strong ETag',
  urls: 'answers each URL for itself, however alike they are',
  allUrls: 'shows a write under every URL, however many were asked for',
  refused: 'keeps what it has when it refuses',
  broken: 'refuses a body that is not JSON'
}
