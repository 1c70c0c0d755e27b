/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers a page made of what the upstream says': 'Every page is made of answers that were given for it.',
  'makes a request id where the client sends none that can be used':
    "the client's, when it has 8 to 64 letters, digits, _ or -, else a new one.",
  'answers 404 for a user who does not exist': '404 {"error":"not_found"} when there is no such user',
  'answers 404 elsewhere': 'elsewhere 404 {"error":"not_found"}',
  'answers 502 with the name of the service that failed':
    '502 {"error":"upstream_failed","service":"stock"} when a service fails or cuts the connection',
  'answers as before when the services are well again': 'When the services are well again, so is the next page.',
  'asks each service once for a page, and nothing more about a user who does not exist':
    'A service is asked once for a page, also when it fails.',
  'answers pages that are asked for together each with its own, and with an id of its own':
    'Pages that are asked for together have answers of their own, and no two of them get the same new id.',
  'survives calls that fail at the same time, or one after the other':
    'The server lives on, also when several calls fail, at once or one after the other.',
  'makes no request id a second time, however many it has made':
    "the client's, when it has 8 to 64 letters, digits, _ or -, else a new one.",
  'waits a second for each call, and no longer':
    '504 {"error":"upstream_timeout","service":"stock"} when a service takes longer than one second for a call',
  'asks for every page by itself, also for those that are under way together under one id':
    'no call is shared by two pages, whatever their ids',
  'asks no service a second time when it fails': 'A service is asked once for a page, also when it fails.'
}
