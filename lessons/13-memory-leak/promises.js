/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers an article in the language that was asked for, whatever else is in the query string':
    'all sorts of things behind the ?: utm_source, sid, names that nobody has heard of. None of them means ' +
      'anything to the content. lang does.',
  'answers 404 with a page for an article that there is not': '404, a page as well, when there is no such article',
  'answers 400 to a language that there is not': '400 {"error":"unknown_language"} for another lang',
  'answers 404 elsewhere': 'elsewhere 404 {"error":"not_found"}',
  'answers 204 to a refresh':
    'POST /articles/:id/refresh 204; sent by the newsroom when it has a new edition of an article',
  'shows no edition from before a refresh': 'After a refresh nobody sees an older edition, in any language.',
  'answers 502 when the newsroom fails': '502 {"error":"upstream_failed"} when the newsroom had to be asked and failed',
  'does not remember that the newsroom has failed':
    'A failure is not remembered. When the newsroom is well again, so is the next answer.',
  'answers for an article as the newsroom does':
    '502 {"error":"upstream_failed"} when the newsroom had to be asked and failed',
  'counts every answer under /articles, once':
    'Every answer is counted, once, however many there are and however seldom somebody asks.',
  'shows no edition from before a refresh that came while the page was being made':
    'Whoever asks after the 204 gets a page that was fetched after it.',
  'shows no edition from before a refresh, however many others there were':
    'After a refresh nobody sees an older edition',
  'asks again after a refresh for an article that there was not':
    'Whoever asks after the 204 gets a page that was fetched after it.',
  'counts an answer with the status that it had':
    'Every answer is counted, once, however many there are and however seldom somebody asks.',
  'answers and counts all of many requests that come together':
    'Every answer is counted, once, however many there are and however seldom somebody asks.',
  'has counted what the load asked for':
    'Every answer is counted, once, however many there are and however seldom somebody asks.',
  'shows no edition from before a refresh, whatever the path and the newsroom are like':
    'After a refresh nobody sees an older edition'
}
