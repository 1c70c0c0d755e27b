/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'computes the panorama of any place on the map, to the last digit':
    'A panorama is that of panorama.js, to the last digit of its 180 angles.',
  'counts every panorama as one visit, whichever process answers': 'Every panorama is one visit, and nothing else is.',
  'numbers the visits one after another, also those of one place':
    'a visit that is asked for after another one was answered has the higher number, whoever computes it. Two ' +
      'visits to one place are two visits.',
  'says how many visits there were': 'GET /visits 200, { visits }: the number of panoramas so far',
  'answers 404 to a place that is not on the map': '404 {"error":"not_found"} for a place that is not on the map',
  'gives each of many visits at once a number of its own, and skips none':
    'No two have the same number, none is skipped',
  'loses no visit when its workers die, replaces each of them, and ends with all of them':
    'visits that were counted stay counted, and within 2 s there are as many processes as before.'
}
