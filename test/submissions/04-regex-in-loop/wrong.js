import { patch } from '../apply.js'

export const on = 'valid-early-stop'

export default [
  {
    name: '400-for-special-characters',
    why: 'Answers 400 to a text that is no valid pattern instead of searching for it.',
    by: 'takes special characters literally',
    change: patch`
         if (!Number.isInteger(limit) || limit < 1) return res.status(400).json({ error: 'invalid_limit' })
      +  if (!isPattern(req.params.genre)) return res.status(400).json({ error: 'invalid_genre' })
      @@
      +function isPattern (text) {
      +  try {
      +    return new RegExp(text) !== null
      +  } catch {
      +    return false
      +  }
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'accents-folded',
    why: 'Takes letters with and without an accent for the same.',
    change: patch`
      -  return { movie, genre: movie.Genre.toLowerCase() }
      +  return { movie, genre: fold(movie.Genre) }
      @@
      -  const wanted = text.toLowerCase()
      +  const wanted = fold(text)
      @@
      +function fold (text) {
      +  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'any-limit',
    why: 'Makes a number of any limit instead of answering 400.',
    by: 'answers 400 to a limit that is not a positive whole number',
    change: patch`
      -  const limit = Number(req.params.limit)
      -  if (!Number.isInteger(limit) || limit < 1) return res.status(400).json({ error: 'invalid_limit' })
      +  const limit = Number.parseInt(req.params.limit) || 10
    `
  },
  {
    name: 'ascii-case',
    why: 'Ignores the case of the letters A to Z only.',
    change: patch`
      -  return { movie, genre: movie.Genre.toLowerCase() }
      +  return { movie, genre: lower(movie.Genre) }
      @@
      -  const wanted = text.toLowerCase()
      +  const wanted = lower(text)
      @@
      +function lower (text) {
      +  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'blank-taken-for-nothing',
    on: 'solution',
    why: 'A title that is a blank counts as none.',
    change: patch`
      -  return typeof value === 'string' && value !== ''
      +  return typeof value === 'string' && value.trim() !== ''
    `
  },
  {
    name: 'case-sensitive',
    why: 'Finds a text only in the case in which the catalogue has it.',
    change: patch`
      -  return { movie, genre: movie.Genre.toLowerCase() }
      +  return { movie, genre: movie.Genre }
      @@
      -  const wanted = text.toLowerCase()
      +  const wanted = text
    `
  },
  {
    name: 'decoded-twice',
    why: 'The text is decoded once more, so that %41 becomes A, and a percent sign an error.',
    by: 'takes special characters literally',
    change: patch`
      -  res.json(find(req.params.genre, limit))
      +  res.json(find(decodeURIComponent(req.params.genre), limit))
    `
  },
  {
    name: 'encoded-slash-splits',
    on: 'solution',
    why: 'A slash is decoded before the path is split, so a text with one is cut there.',
    by: 'takes special characters literally',
    change: patch`
      +app.use((req, res, next) => {
      +  req.url = req.url.replace(/%2f/gi, '/').replace(/(genre\/[^/]*)\/.*(?=\/)/, '$1')
      +  next()
      +})
      +
       app.get('/movies/search/genre/:genre/:limit', (req, res) => {
    `
  },
  {
    name: 'every-25th-later',
    why: 'Movies are added to the catalogue in one go with the next one where their number is a multiple of 25.',
    by: 'finds a new movie in the very next search, even when it came while another read was in flight',
    change: patch`
       app.disable('etag')
      +const waiting = []
      @@
      -  const movie = { ...req.body, id: catalogue.length + 1 }
      -  catalogue.push(prepare(movie))
      +  const movie = { ...req.body, id: catalogue.length + waiting.length + 1 }
      +  waiting.push(prepare(movie))
      +  if (movie.id % 25 !== 0) catalogue.push(...waiting.splice(0))
    `
  },
  {
    name: 'first-limit-remembered',
    why: 'Remembers by the text alone what it has found for the first limit, until the next write.',
    otherwise: { load: 'expected [{' },
    change: patch`
      +const cache = new Map()
      +
       const app = express()
      @@
      -  res.json(find(req.params.genre, limit))
      +  const key = req.params.genre.toLowerCase()
      +  if (!cache.has(key)) cache.set(key, find(key, limit))
      +  res.json(cache.get(key).slice(0, limit))
      @@
         catalogue.push(prepare(movie))
      +  cache.clear()
    `
  },
  {
    name: 'fixed-genres',
    why: 'Knows only the texts that were prepared at the start; a new genre is never found.',
    change: patch`
      +/** Every part of every genre that the catalogue has, found once. */
      +const prepared = new Map()
      +for (const genre of new Set(catalogue.flatMap(({ genre }) => partsOf(genre)))) {
      +  prepared.set(genre, catalogue.filter((entry) => entry.genre.includes(genre)))
      +}
      +
       const app = express()
      @@
      -  catalogue.push(prepare(movie))
      +  const entry = prepare(movie)
      +  catalogue.push(entry)
      +  for (const part of new Set(partsOf(entry.genre))) prepared.get(part)?.push(entry)
      @@
      -  const wanted = text.toLowerCase()
      -…
      -    if (found.length === limit) break
      +  return (prepared.get(text.toLowerCase()) ?? []).slice(0, limit).map(({ movie }) => movie)
      +}
      +
      +function partsOf (genre) {
      +  const parts = []
      +  for (let from = 0; from < genre.length; from++) {
      +    for (let to = from + 1; to <= genre.length; to++) parts.push(genre.slice(from, to))
         }
      -  return found
      +  return parts
    `
  },
  {
    name: 'folds-by-one-bit',
    on: 'solution',
    why: 'It sets one bit of every character for lower case: that also makes [ the same as {.',
    by: 'takes special characters literally',
    change: patch`
      -  return { genre: movie.Genre.toLowerCase(), json: JSON.stringify(movie) }
      +  return { genre: fold(movie.Genre), json: JSON.stringify(movie) }
      @@
      -  const wanted = text.toLowerCase()
      +  const wanted = fold(text)
      @@
      +function fold (text) {
      +  return text.toLowerCase().replace(/[@-_]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) | 0x20))
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'hoisted-regexp',
    on: 'slow',
    why: 'Builds the RegExp once and drops toLowerCase, but still copies the catalogue for every search.',
    gate: 'search',
    change: patch`
      -  return allMovies().filter((movie) => new RegExp(genre, 'i').test(movie.Genre.toLowerCase()))
      +  const pattern = new RegExp(escape(genre), 'i')
      +  return allMovies().filter((movie) => pattern.test(movie.Genre))
      @@
      +function escape (text) {
      +  return text.replace(/[.*+?^\${}()|[\]\\]/g, '\\$&')
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'id-of-the-client',
    on: 'solution',
    why: 'A movie that comes with an id keeps it.',
    change: patch`
      -  const entry = prepare({ ...req.body, id: catalogue.length + 1 })
      +  const entry = prepare({ id: catalogue.length + 1, ...req.body })
    `
  },
  {
    name: 'key-without-separator',
    on: 'solution',
    why: 'It keeps answers by text and limit with nothing in between: dr1 with 5 is dr with 15.',
    change: patch`
      +const kept = new Map()
      +
       const app = express()
      @@
      -  res.type('json').send(\`[\${findByGenre(req.params.genre, limit).join(',')}]\`)
      +  const key = req.params.genre.toLowerCase() + limit
      +  if (!kept.has(key)) kept.set(key, \`[\${findByGenre(req.params.genre, limit).join(',')}]\`)
      +  res.type('json').send(kept.get(key))
      @@
         catalogue.push(entry)
      +  kept.clear()
    `
  },
  {
    name: 'known-fields-only',
    why: 'Keeps of a new movie the fields that the catalogue has, also in what is nested in them.',
    change: patch`
      +const fields = [...new Set(catalogue.flatMap(({ movie }) => Object.keys(movie)))]
      +
       const app = express()
      @@
      -  catalogue.push(prepare(movie))
      +  catalogue.push(prepare(JSON.parse(JSON.stringify(movie, fields))))
    `
  },
  {
    name: 'limit-capped',
    why: 'Sends at most 20 movies, whatever the limit says.',
    change: patch`
      -  res.json(find(req.params.genre, limit))
      +  res.json(find(req.params.genre, Math.min(limit, 20)))
    `
  },
  {
    name: 'limit-misread',
    why: 'It reads a limit as far as it is a number: 2.5 and 10abc are taken for whole ones.',
    by: 'answers 400 to a limit that is not a positive whole number',
    change: patch`
      @@ server.js
      -  const limit = Number(req.params.limit)
      +  const limit = Number.parseInt(req.params.limit)
    `
  },
  {
    name: 'limit-of-four-digits',
    on: 'solution',
    why: 'A limit may have four digits, so 70000 is refused.',
    change: patch`
      -  if (!Number.isInteger(limit) || limit < 1) {
      +  if (!Number.isInteger(limit) || limit < 1 || limit > 9999) {
    `
  },
  {
    name: 'limit-off-by-one',
    why: 'Sends one movie more than the limit says.',
    change: patch`
      -    if (found.length === limit) break
      +    if (found.length > limit) break
    `
  },
  {
    name: 'low-bytes',
    on: 'solution',
    why: 'It compares the low byte of each letter: ł is the same as B.',
    change: patch`
      -    if (!genre.includes(wanted)) continue
      +    if (!Buffer.from(genre, 'latin1').includes(Buffer.from(wanted, 'latin1'))) continue
    `
  },
  {
    name: 'newest-first',
    why: 'Sends the movies in another order than the catalogue.',
    change: patch`
      -  for (const { genre, movie } of catalogue) {
      +  for (const { genre, movie } of catalogue.toReversed()) {
    `
  },
  {
    name: 'not-decoded',
    why: 'Decodes only the percent-encodings that it expects.',
    change: patch`
      -  res.json(find(req.params.genre, limit))
      +  const text = req.url.split('/')[4].replaceAll('%20', ' ').replaceAll('%2C', ',')
      +  res.json(find(text, limit))
    `
  },
  {
    name: 'one-long-text',
    on: 'valid-one-text',
    why: 'All genres stand in one text with a NUL between them: a search with a NUL in it finds the ends of genres.',
    by: 'takes special characters literally',
    change: patch`
      -const end = '\uffff'
      +const end = '\0'
      @@
      -  if (wanted.includes(end)) return found
    `
  },
  {
    name: 'partly-escaped',
    why: 'Escapes only some of the characters that a RegExp gives a meaning to.',
    by: 'takes special characters literally',
    change: patch`
      -  const wanted = text.toLowerCase()
      +  const pattern = new RegExp(escape(text), 'i')
         const found = []
      -  for (const { genre, movie } of catalogue) {
      -    if (genre.includes(wanted)) found.push(movie)
      -    if (found.length === limit) break
      +  for (const { movie } of catalogue) {
      +    if (pattern.test(movie.Genre) && found.push(movie) === limit) break
      @@
      +function escape (text) {
      +  return text.replace(/[.*+?()\\]/g, '\\$&')
      +}
      +
       function isText (value) {
    `
  },
  {
    name: 'plus-is-a-space',
    why: 'Reads a plus in the path as a space, as in a form.',
    by: 'takes special characters literally',
    change: patch`
      -  res.json(find(req.params.genre, limit))
      +  res.json(find(decodeURIComponent(req.url.split('/')[4].replaceAll('+', ' ')), limit))
    `
  },
  {
    name: 'prefix',
    why: 'Finds a text only at the beginning of a genre.',
    change: patch`
      -  return { movie, genre: movie.Genre.toLowerCase() }
      +  return { movie, genre: movie.Genre.toLowerCase().split(', ') }
      @@
      -    if (genre.includes(wanted)) found.push(movie)
      +    if (genre.some((word) => word.startsWith(wanted))) found.push(movie)
    `
  },
  {
    name: 'prefixes-forgotten',
    on: 'valid-lazy-index',
    why: 'A new movie makes it forget only what begins like its genre or a word of it: a text within a word stays old.',
    change: patch`
      -  found.clear()
      +  const genre = movie.Genre.toLowerCase()
      +  for (const text of found.keys()) {
      +    if ([genre, ...genre.split(/[,\s]+/)].some((word) => word.startsWith(text))) found.delete(text)
      +  }
    `
  },
  {
    name: 'remembered-for-a-second',
    why: 'Remembers what it has found for a second, whatever is written meanwhile.',
    otherwise: { load: 'acknowledged before the read' },
    change: patch`
      +const cache = new Map()
      +
       const app = express()
      @@
      -  res.json(find(req.params.genre, limit))
      +  const key = \`\${req.params.genre.toLowerCase()}/\${limit}\`
      +  const known = cache.get(key)
      +  if (known?.until > Date.now()) return res.json(known.movies)
      +  const movies = find(req.params.genre, limit)
      +  cache.set(key, { movies, until: Date.now() + 1000 })
      +  res.json(movies)
    `
  },
  {
    name: 'room-for-1024',
    on: 'solution',
    why: 'A search looks at 1,024 movies, and not at what comes after them.',
    by: 'finds a new movie in the very next search, even when it came while another read was in flight',
    change: patch`
      -  for (const { genre, json } of catalogue) {
      +  for (const { genre, json } of catalogue.slice(0, 1024)) {
    `
  },
  {
    name: 'room-for-the-limit',
    why: 'It makes room for as many movies as the limit says, and no array has room for 2 ** 32.',
    by: 'sends as many movies as the limit says',
    change: patch`
      -  const found = []
      +  const found = Array(limit)
      +  found.length = 0
    `
  },
  {
    name: 'separated-by-ffff',
    on: 'solution',
    why: 'U+FFFF stands around each genre, and a search for it finds all of them.',
    by: 'takes special characters literally',
    change: patch`
      -    if (!genre.includes(wanted)) continue
      +    if (!\`\uffff\${genre}\uffff\`.includes(wanted)) continue
    `
  },
  {
    name: 'short-texts-prepared',
    why: 'Answers texts of one or two letters from what it has found at the start.',
    change: patch`
      +const prepared = new Map()
      +for (const { genre } of catalogue) {
      +  for (let at = 0; at < genre.length; at++) {
      +    for (const part of [genre[at], genre.slice(at, at + 2)]) {
      +      if (!prepared.has(part)) prepared.set(part, find(part, Infinity))
      +    }
      +  }
      +}
      +
       const app = express()
      @@
      -  res.json(find(req.params.genre, limit))
      +  const known = prepared.get(req.params.genre.toLowerCase())
      +  res.json(known?.slice(0, limit) ?? find(req.params.genre, limit))
    `
  },
  {
    name: 'some-fields',
    why: 'Sends a few fields of each movie instead of the whole record.',
    change: patch`
      -  res.json(find(req.params.genre, limit))
      +  res.json(find(req.params.genre, limit).map(({ id, Title, Year, Genre }) => ({ id, Title, Year, Genre })))
    `
  },
  {
    name: 'stale-cache',
    why: 'Caches what it has found past a write.',
    change: patch`
      +const cache = new Map()
      +
       const app = express()
      @@
      -  res.json(find(req.params.genre, limit))
      +  const key = \`\${req.params.genre.toLowerCase()}/\${limit}\`
      +  if (!cache.has(key)) cache.set(key, find(req.params.genre, limit))
      +  res.json(cache.get(key))
    `
  },
  {
    name: 'stale-while-busy',
    why: 'Caches past a write, but only while it is busy.',
    load: 'acknowledged before the read',
    otherwise: {},
    change: patch`
      +const cache = new Map()
      +let requests = 0
      +setInterval(() => {
      +  if (requests < 150) cache.clear()
      +  requests = 0
      +}, 1000)
      +
       const app = express()
      @@
      -  res.json(find(req.params.genre, limit))
      +  if (++requests < 150) return res.json(find(req.params.genre, limit))
      +  const key = req.params.genre.toLowerCase()
      +  if (!cache.has(key)) cache.set(key, find(key, Infinity))
      +  res.json(cache.get(key).slice(0, limit))
    `
  },
  {
    name: 'text-plain',
    why: 'Sends JSON as text/plain.',
    change: patch`
      -  res.json(find(req.params.genre, limit))
      +  res.type('text').send(JSON.stringify(find(req.params.genre, limit)))
    `
  },
  {
    name: 'title-of-any-type',
    on: 'solution',
    why: 'A title need not be a text.',
    by: 'answers 400 to a movie without a genre or a title',
    change: patch`
      -  if (!isText(Title) || !isText(Genre)) {
      +  if (!Title || !isText(Genre)) {
    `
  },
  {
    name: 'trigrams-unverified',
    on: 'solution',
    why: 'Of a text of ten letters it only looks whether any three that follow each other are in the genre.',
    change: patch`
         const wanted = text.toLowerCase()
      +  const parts = Array.from({ length: Math.max(0, wanted.length - 2) }, (_, at) => wanted.slice(at, at + 3))
      @@
      -    if (!genre.includes(wanted)) continue
      +    if (wanted.length < 10 ? !genre.includes(wanted) : !parts.every((part) => genre.includes(part))) continue
    `
  },
  {
    name: 'twice-is-once',
    on: 'solution',
    why: 'A movie that was sent before gets the answer that it got then.',
    change: patch`
      +const known = new Map()
       const app = express()
      @@
      -  catalogue.push(entry)
      -  res.status(201).type('json').send(entry.json)
      +  const key = JSON.stringify(req.body)
      +  if (!known.has(key)) catalogue.push(entry)
      +  known.set(key, known.get(key) ?? entry)
      +  res.status(201).type('json').send(known.get(key).json)
    `
  },
  {
    name: 'whole-word',
    why: 'Finds whole genres only, as an index by exact genre does.',
    change: patch`
      -  return { movie, genre: movie.Genre.toLowerCase() }
      +  return { movie, genre: movie.Genre.toLowerCase().split(', ') }
    `
  },
  {
    name: 'words-prepared',
    on: 'solution',
    why: 'The movies of each genre are found in advance, and a new one is added only to those of its own whole genres.',
    change: patch`
         catalogue.push(entry)
      +  for (const word of entry.genre.split(', ')) prepared.get(word)?.push(entry)
      @@
      +const prepared = new Map(catalogue.flatMap(({ genre }) => genre.split(', ')).map((word) =>
      +  [word, catalogue.filter(({ genre }) => genre.includes(word))]))
      +
       /** The JSON of the first \`limit\` movies whose genre contains \`text\`, in catalogue order. */
      @@
         const wanted = text.toLowerCase()
         const found = []
      -  for (const { genre, json } of catalogue) {
      +  for (const { genre, json } of prepared.get(wanted) ?? catalogue) {
    `
  },
  {
    name: 'written-later',
    why: 'Answers 201 before the movie is in the catalogue.',
    change: patch`
       const catalogue = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8')).map(prepare)
      +let lastId = catalogue.length
      @@
      -  const movie = { ...req.body, id: catalogue.length + 1 }
      -  catalogue.push(prepare(movie))
      +  const movie = { ...req.body, id: ++lastId }
      +  setTimeout(() => catalogue.push(prepare(movie)), 50)
    `
  }
]
