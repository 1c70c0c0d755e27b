import { backtracking, literal } from './contract.js'

/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'finds the first movies whose genre contains the text: whole, in any case, in the order of the catalogue':
    'GET /movies/search/genre/:genre/:limit | 200, a JSON array of the first :limit movies whose Genre contains ' +
      'the text',
  'sends as many movies as the limit says': 'a JSON array of the first :limit movies',
  'understands percent-encoding': 'in the path, any character of the text may be percent-encoded',
  'finds nothing where no genre contains the text':
    '200, a JSON array of the first :limit movies whose Genre contains the text',
  'answers 400 to a limit that is no positive whole number':
    'the same with a limit that is no positive whole number | 400 {"error":"invalid_limit"}',
  'answers a new movie with 201, and the movie with its id': 'POST /movies | 201, the movie with its id',
  'finds a new movie in the very next search': 'a new movie is found by the very next search',
  'finds what was added after all that was there before':
    'movies come whole, in the order of the catalogue, new ones at the end',
  'finds what was added since it was asked the same before': 'a new movie is found by the very next search',
  'finds letters with accents in any case, and keeps them apart from those without': 'case does not matter, accents do',
  'answers 400 to a movie without a genre or a title': '400 {"error":"invalid_movie"} without a Title or a Genre',
  'keeps the catalogue as it is when it refuses a movie': 'A movie that is refused changes nothing.',
  [backtracking]: 'the text is taken literally',
  [literal]: 'the text is taken literally: . finds a full stop, ( a bracket and + a plus'
}
