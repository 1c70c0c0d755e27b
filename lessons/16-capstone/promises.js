/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'says that it is well': 'GET /healthz {"status":"ok"}',
  'sends the whole catalogue, gzipped to those who accept it':
    'the whole catalogue; gzipped for clients that accept it, with Vary: Accept-Encoding',
  'shows a film with its price and its stock': 'GET /films/:id the film with price and stock, Cache-Control: no-store',
  'answers 404 elsewhere, and for a film that does not exist':
    'elsewhere, and for a film that does not exist 404 {"error":"not_found"}',
  'searches for the text as it is, in any case, in the order of the catalogue':
    'the first films whose title or actors contain the text, in any case, taken literally, in the order of the ' +
      'catalogue',
  'finds as many films as the limit says, and 20 without one':
    'the first films whose title or actors contain the text, in any case, taken literally, in the order of the ' +
      'catalogue; 20 without a limit',
  'takes the text of a search literally':
    'the first films whose title or actors contain the text, in any case, taken literally',
  'finds nothing that begins in a title and ends among the actors':
    'the first films whose title or actors contain the text',
  'refuses a search without a text, or with a limit that is no whole number from 1 on':
    '400 without a text, and with a limit that is no whole number from 1 on',
  'shows the ten newest reviews of a film, the newest first': 'the ten newest reviews of the film, the newest first',
  'counts reviews, people and stars of each genre':
    'for each genre the number of reviews, of people who wrote them, and the mean number of stars, rounded to ' +
      'hundredths',
  'gives whoever knows the password a token for an hour': 'POST /login { token }, a JWT that holds for an hour',
  'asks both services for every page, also for those of one film at the same moment':
    'Each page asks for both, once each, for itself.',
  'lets in nobody who does not know the password': '401 to a wrong password or an unknown e-mail address',
  'compares all bytes of a hash':
    'A password is hashed at every login, with the iterations that are stored for the user, and all bytes of ' +
      'the hash are compared.',
  'refuses a body that is not JSON, or holds no login':
    'A body that is not JSON, or a login without an e-mail address or a password, is refused with any status ' +
      'from 400 to 499.',
  'answers a new review with 201 and the review': 'POST /films/:id/reviews 201 with the review',
  'shows a review to the very next read, and counts it in the report':
    'A review that was answered is there: in the very next list, and in the very next report.',
  'takes more than one review of a visitor': 'A visitor may write more than one about the same film.',
  'takes reviews of people who are logged in only': '201 with the review; needs Authorization: Bearer TOKEN, else 401',
  'keeps what it has when it refuses a review':
    'in the very next list, and in the very next report. One that was refused is in neither.',
  'refuses a review without a text, or without one to five stars':
    '400 without {text, stars}, a text and a whole number from 1 to 5',
  'answers 502 with the name of the service that failed':
    '502 {"error":"upstream_failed","service":"prices"} when a service fails',
  'asks a service again that had failed':
    'Prices and stock change all the time. Each page asks for both, once each, for itself.',
  'asks both services anew for every film page, once each, and about nothing else':
    'Each page asks for both, once each, for itself. About a film that does not exist nobody is asked.',
  'has one line of JSON in the log for every request, with what it was and what became of it':
    "Every request has one line in DATA_DIR/access.log, JSON, with time, id (the client's X-Request-Id), " +
      'method, url, status and durationMs (a number).',
  'hashes the password at every login':
    'A password is hashed at every login, with the iterations that are stored for the user',
  'refuses a token whose time is over': 'A token is worth its signature, and nothing after its hour.',
  'stays up when both services fail': 'When both services fail, the server lives on.',
  'keeps secrets out of the log': 'Tokens and passwords are not in it.',
  'writes its lines also while it is never left alone':
    'It is there within a second, also while there is no quiet moment',
  'loses no line when it is stopped':
    'It is there within a second, also while there is no quiet moment, and when the server is stopped with SIGTERM',
  'has a line for every request of the load': 'Every request has one line in DATA_DIR/access.log'
}
