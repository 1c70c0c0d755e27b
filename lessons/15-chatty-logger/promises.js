/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'has the whole URL in the log, however long it is': 'method, url | as the client sent them, query included',
  'sends a product with its price': 'GET /products/:id 200 {id, name, price}',
  'answers 404 for a product that is not there': 'GET /products/:id 200 {id, name, price}; 404 {"error":"not_found"}',
  'answers 500 for a product that has lost its price':
    '500 {"error":"internal_error"} for one of those that have lost their price',
  'answers 404 elsewhere': 'elsewhere 404 {"error":"not_found"}',
  'shows an account to whom its token names':
    'GET /account 200 {name, points} with Authorization: Bearer TOKEN or the cookie',
  'shows no account to strangers':
    'GET /account 200 {name, points} with Authorization: Bearer TOKEN or the cookie; 401 {"error":"unauthorised"}',
  'counts its products in the report': 'GET /report 200 {products}, their number, after a moment',
  'opens a session for the right PIN':
    'POST /sessions {name, pin} 201 {name} and a cookie session (Path=/; HttpOnly), good until the server stops',
  'knows a visitor by the cookie of a session': 'a cookie session (Path=/; HttpOnly), good until the server stops',
  'opens no session for a wrong PIN':
    'POST /sessions {name, pin} 201 {name} and a cookie session (Path=/; HttpOnly), good until the server ' +
      'stops; 401 {"error":"bad_credentials"}',
  'refuses a body that is not JSON': 'A body that is not JSON is refused, with any status from 400 to 499.',
  'shows an account to whom its cookie names':
    'GET /account 200 {name, points} with Authorization: Bearer TOKEN or the cookie',
  'answers a request that has no id': "Every answer has an X-Request-Id: the request's own, or a new one.",
  'has one line of JSON in the log for every request, with what it was and what became of it':
    'One line of JSON for each request in the file access.log in DATA_DIR, with these fields.',
  'keeps secrets out of the log':
    'No secrets: the values of Authorization, Cookie and Set-Cookie',
  'writes its lines also while it is never left alone':
    'The line is in the file within a second after the answer, also while there is no quiet moment.',
  'loses no line when it is stopped, and keeps the order of each client': 'After SIGTERM no line is missing',
  'has a line for every request of the load, once and in order':
    'Every request that gets an answer has its line, once, however busy the server is.'
}
