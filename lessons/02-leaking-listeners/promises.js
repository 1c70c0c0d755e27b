/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers GET /seed/v1 with data, url and ts as JSON, Cache-Control, and an ETag from the second time on':
    'GET /seed/v1, with any query string | 200, JSON { data, url, ts }',
  'keeps the ETag of a URL, and gives each URL one of its own':
    'it stays the same as long as they do, also when the server is started anew, and two URLs have two tags',
  'answers 405 with Allow: GET to a POST':
    'POST /seed/v1 | 405, Allow: GET, JSON { code: "MethodNotAllowed", message }',
  'answers 404 to any other path': 'any other path | 404, JSON { code: "ResourceNotFound", message }',
  'tells in ts when the answer was made, in milliseconds':
    'ts is the time at which this answer was made, in milliseconds since 1970.',
  'keeps the ETag of a URL, however many others are asked for':
    'From the second answer for a URL on, a 200 carries a quoted ETag.',
  'gives a URL another ETag when the data are others':
    'The tag stands for data and url: it stays the same as long as they do',
  'gives two URLs two ETags, however alike they are': 'two URLs have two tags, however alike they are'
}
