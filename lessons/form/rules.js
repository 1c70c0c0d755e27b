/** Rules that follow from a word in a route. */
export const derived = {
  copies: 'answers 304 to a client whose copy is current, and the content to any other',
  alike: 'answers 304 to no tag that only looks like the current one',
  tags: 'never gives two contents the same ETag, even after a restart',
  forms: 'never gives two forms of a content the same strong ETag',
  compressed: 'sends compressed answers to clients that accept them',
  urls: 'answers each query string for itself, however alike they are',
  allUrls: 'shows a write in the very next read of any query string, however many were requested',
  refused: 'changes nothing when it refuses',
  broken: 'refuses a body that is not JSON',
  logged: 'has one line of JSON in the log for every request, with what it was and what became of it',
  loggedSoon: 'writes its lines within a second, also while there is no quiet moment',
  loggedAtTheEnd: 'loses no line when it is stopped',
  loggedLoad: 'has a line for every request of the load'
}
