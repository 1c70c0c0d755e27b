/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'sends an item with its price in the client’s language':
    "200, the whole item with priceText: the price in euros as people write it in the client's language",
  'sends the list that a query asks for':
    'each item as { id, name, category, price }. category (exact), q (part of the name, any case), limit (1 to ' +
      '50, default 10), offset (default 0)',
  'answers 400 to a query that it cannot understand, and names the fields':
    '400 invalid_query with the fields that are wrong',
  'answers 404 for an item that is not there': '404 item_not_found',
  'tells who is signed in, and which features they have': 'GET /me | 200, { id, name, email, features }',
  'lets nobody in without a valid session': '401 not_signed_in without a valid session',
  'answers a new item with 201, the item and its Location': 'POST /items | 201, the new item and its Location',
  'shows a new item in the very next read': 'the very next read shows it',
  'refuses an item that is not valid, and names the fields': '422 invalid_item with the fields that are wrong',
  'keeps its items as they are when it refuses one': 'An item that is refused changes nothing.',
  'answers 400 to a body that is not JSON': '400 invalid_json if it cannot be parsed',
  'answers 415 to a body of another type': 'JSON only, else 415 unsupported_media_type',
  'answers 413 to a body over the limit, and takes one at the limit':
    '413 body_too_large for more than bodyLimit bytes',
  'answers an unknown address with 404 in the error format': 'anything else | 404 route_not_found',
  'answers a preflight request with 204, and what the origin may do':
    'The 204 to an OPTIONS also says which methods and headers that origin may use, and for how long',
  'never gives two requests the same new id': 'else a new UUID, never the same twice',
  'measures the response time': 'X-Response-Time, measured, like 1.234ms',
  'lets a session in until it expires, and no longer':
    'The session must be in sessions.json and not expired at that moment.',
  'lists what was added since it was asked the same before': 'the very next read shows it'
}
