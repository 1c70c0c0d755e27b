import { crowdCheck } from './contract.js'

/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers GET /healthz with {"status":"ok"}': 'GET /healthz 200, {"status":"ok"}',
  'seals every quote together with the one before':
    'Numbers count up by one, and previous is the seal of the quote before.',
  'shows a quote in the book at once': 'A quote that was answered is in the book at once.',
  'shows a quote that is in the book as it was answered': 'GET /quotes/:number 200, the quote as it was answered',
  'answers 404 to a quote that is not in the book':
    'GET /quotes/:number 200, the quote as it was answered, or 404 {"error":"not_found"}',
  'refuses an order that is none, with 400':
    '400 {"error":"invalid_order"} unless it is a product of the desk, and a whole number from 1 to 100,000 ' +
      'kilos of it',
  'leaves no trace in the book of what it has refused': 'A request that was refused leaves no trace in it.',
  'refuses a body that is not JSON': 'A body that is not JSON is refused, with any status from 400 to 499.',
  'serves 6 who come at the same moment':
    'Six orders at the same moment, on a server that has nothing else to do, are served.',
  'shows a quote also to whoever has asked for it too early': 'A quote that was answered is in the book at once.',
  'answers everybody who holds a connection, however many they are':
    'Who is refused is told so with an answer. A closed connection is none.',
  [crowdCheck]: 'Of a hundred at the same moment, each on a new connection, ten at the very least are refused.',
  'leaves no gap in the book when somebody hangs up': 'The book has no gaps and no forks.',
  'books no quote for somebody whom it has refused': 'A request that was refused leaves no trace in it.',
  'serves 6 who come at the same moment, also when a crowd has gone':
    'Six orders at the same moment, on a server that has nothing else to do, are served.',
  'serves 6 who come at the same moment, and the next 6 after them':
    'Six orders at the same moment, on a server that has nothing else to do, are served.',
  'shows the first quotes of the book after many others': '200, the quote as it was answered'
}
