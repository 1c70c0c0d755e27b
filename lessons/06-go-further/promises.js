/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers GET /seed/v1 with data and url as JSON, a strong ETag and Cache-Control':
    'GET /seed/v1, with any query string | 200, JSON { data, url }',
  'answers 304 to a client whose copy is current, and the content to any other':
    "304 without a body while the client's copy is current, else the 200",
  'answers 204 to new content': 'PUT /seed/v1 with JSON { data }, an object | 204; from now on this is the data',
  'shows new content in the very next read, whatever its query string':
    'A PUT is seen by the very next read, whatever its query string.',
  'answers 400 to content without data': 'PUT with anything else | 400, JSON { code: "InvalidContent", message }',
  'keeps what it has when it refuses content':
    'PUT with anything else | 400, JSON { code: "InvalidContent", message }, and nothing changes',
  'answers 405 with Allow: GET, PUT to another method':
    'another method | 405, Allow: GET, PUT, JSON { code: "MethodNotAllowed", message }',
  'answers 404 to any other path': 'any other path | 404, JSON { code: "ResourceNotFound", message }',
  'never gives two contents the same ETag, also when it was started anew':
    'for one URL, the same tag means the same bytes, also when the server was started anew',
  'never gives two texts of a URL the same ETag': 'for one URL, the same tag means the same bytes',
  'takes content as it is, in however many parts it comes':
    'PUT /seed/v1 with JSON { data }, an object | 204; from now on this is the data',
  'answers each URL with itself, however alike they are':
    'GET /seed/v1, with any query string | 200, JSON { data, url }',
  'shows new content under every URL, however many were asked for':
    'A PUT is seen by the very next read, whatever its query string.',
  'answers the content to a tag that only looks like the current one':
    "304 without a body while the client's copy is current, else the 200"
}
