/** Rules that follow from a word in a route. */
export const derived = {
  copies: 'answers 304 to a client whose copy is current, and sends any other the content',
  alike: 'never answers 304 to a tag that only looks like the current one',
  tags: 'never gives different content the same ETag, even after a restart',
  forms: 'never gives two encodings of the same content the same strong ETag',
  compressed: 'sends compressed answers with no more bytes than promised',
  urls: 'answers each query string separately, however alike they look',
  allUrls: 'shows a write in the very next read of any query string, however many were requested',
  refused: 'changes nothing when it refuses a request',
  broken: 'refuses a body that isn’t JSON',
  logged: 'has one line of JSON in the log for every request, with what it was and what became of it',
  loggedSoon: 'writes its lines within a second, even under constant load',
  loggedAtTheEnd: 'loses no line when it is stopped',
  loggedLoad: 'has a line for every request of the load'
}
