/**
 * The film catalogue of several lessons, made from a run's seed: invented films in the format of a public film
 * database.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {ReturnType<typeof makeMovie>} NewMovie a film as a client sends it
 * @typedef {{ id: number } & NewMovie} Movie
 */

/**
 * A catalogue with the ids 1 to `count`; 791 films are about 430 kB of JSON.
 *
 * @param {Random} random
 * @param {number} [count]
 * @returns {Movie[]}
 */
export function makeMovies (random, count = 791) {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1, ...makeMovie(random) }))
}

/** One film without an id, as a client posts it. @param {Random} random */
export function makeMovie (random) {
  const { int, pick } = random
  const year = int(1927, 2019)
  const place = pick(places)
  return {
    Title: pick(titles)(pick(adjectives), pick(things), place.name),
    Year: String(year),
    Rated: pick(ratings),
    Released: `${String(int(1, 28)).padStart(2, '0')} ${pick(months)} ${year}`,
    Runtime: `${int(68, 214)} min`,
    Genre: pickSome(random, genres, int(1, 3)).join(', '),
    Director: makeName(random),
    Writer: makeName(random),
    Actors: Array.from({ length: 3 }, () => makeName(random)).join(', '),
    Plot: makePlot(random, place.name),
    Language: place.language,
    Country: place.country,
    Awards: `${int(0, 9)} wins & ${int(1, 24)} nominations.`,
    Metascore: int(1, 6) === 1 ? 'N/A' : String(int(21, 98)),
    imdbRating: `${int(3, 9)}.${int(0, 9)}`,
    imdbVotes: `${int(1, 999)},${String(int(0, 999)).padStart(3, '0')}`,
    imdbID: `tt${String(int(1, 9999999)).padStart(7, '0')}`
  }
}

/** @param {Random} random */
function makeName ({ pick }) {
  return `${pick(firstNames)} ${pick(lastNames)}`
}

/** @param {Random} random @param {string} place */
function makePlot ({ int, pick }, place) {
  const plot = `In ${place}, a ${pick(roles)} who ${pick(pasts)} ${pick(deeds)}. ${pick(turns)}.`
  return int(1, 9) === 1 ? `${plot} ${pick(quotes)}` : plot
}

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} list
 * @param {number} count
 * @returns {T[]} different ones, in random order
 */
function pickSome ({ pick }, list, count) {
  /** @type {Set<T>} */
  const picked = new Set()
  while (picked.size < count) picked.add(pick(list))
  return [...picked]
}

const genres = [
  'Action', 'Adventure', 'Animation', 'Biography', 'Comedy', 'Crime', 'Documentary', 'Drama', 'Family', 'Fantasy',
  'Film-Noir', 'History', 'Horror', 'Music', 'Musical', 'Mystery', 'Romance', 'Sci-Fi', 'Sport', 'Thriller', 'War',
  'Western'
]
const ratings = ['G', 'PG', 'PG-13', 'R', 'NC-17', 'APPROVED', 'N/A']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const adjectives = [
  'Silent', 'Crimson', 'Broken', 'Golden', 'Hidden', 'Restless', 'Frozen', 'Wandering', 'Naïve', 'Distant', 'Burning',
  'Paper', 'Hollow', 'Electric', 'Forgotten', 'Blasé', 'Patient', 'Reckless', 'Tender', 'Invisible'
]
const things = [
  'Harbour', 'Orchestra', 'Café', 'Lighthouse', 'Train', 'Garden', 'Letter', 'Mirror', 'Bridge', 'Circus', 'Winter',
  'Clock', 'River', 'Telegram', 'Château', 'Island', 'Protégé', 'Station', 'Archive', 'Piñata'
]
const places = [
  { name: 'Paris', language: 'French, English', country: 'France' },
  { name: 'São Paulo', language: 'Portuguese', country: 'Brazil' },
  { name: 'Kraków', language: 'Polish, German', country: 'Poland' },
  { name: 'Zürich', language: 'German, French', country: 'Switzerland' },
  { name: 'Москва', language: 'Russian', country: 'Soviet Union' },
  { name: '東京', language: 'Japanese', country: 'Japan' },
  { name: 'Αθήνα', language: 'Greek', country: 'Greece' },
  { name: 'Tromsø', language: 'Norwegian, Sami', country: 'Norway' },
  { name: 'मुंबई', language: 'Hindi, Marathi', country: 'India' },
  { name: 'القاهرة', language: 'Arabic', country: 'Egypt' },
  { name: 'Dublin', language: 'English, Irish', country: 'Ireland' },
  { name: 'Chicago', language: 'English', country: 'USA' },
  { name: 'New Orleans', language: 'English, French', country: 'USA' },
  { name: 'Buenos Aires', language: 'Spanish', country: 'Argentina' },
  { name: 'Sheffield', language: 'English', country: 'UK' },
  { name: 'Göteborg', language: 'Swedish', country: 'Sweden' }
]
/** @type {((adjective: string, thing: string, place: string) => string)[]} */
const titles = [
  (adjective, thing) => `The ${adjective} ${thing}`,
  (adjective, thing) => `${adjective} ${thing}s`,
  (adjective, thing, place) => `${thing} in ${place}`,
  (adjective, thing, place) => `${place}: A ${adjective} ${thing}`,
  (adjective, thing, place) => `${place}, ${place}!`,
  (adjective, thing) => `“${thing}” & the ${adjective} One`
]
const firstNames = [
  'Amélie', 'José', 'Zoë', 'Anna', 'James', 'Ingrid', 'Łukasz', 'Søren', 'Chloé', 'Akira', 'Юрий', 'Μαρία', '健',
  'Ravi', 'Leïla', 'Björn', 'Margaret', 'Thomas', 'Siobhán', 'Ernest', 'Gloria', 'Walter', 'Helen', 'Oscar'
]
const lastNames = [
  'Müller', 'García', 'Kurosawa', 'O’Brien', 'Nováková', 'Andersson', 'Dupont', 'Şahin', 'Wójcik', 'Иванов',
  'Παπαδόπουλος', '佐藤', 'Iyer', 'Fitzgerald', 'Marlowe', 'Castellano', 'Whitcombe', 'Nuñez', 'Lindqvist', 'Abbott',
  'Delacroix', 'Hathaway'
]
const roles = [
  'clockmaker', 'retired detective', 'night porter', 'violinist', 'young widow', 'smuggler', 'schoolteacher',
  'cartographer', 'jazz singer', 'fiancée', 'deserter', 'projectionist', 'telegraph operator', 'ferryman'
]
const deeds = [
  'must find a stolen manuscript', 'falls for a stranger with two names', 'tries to buy back the family house',
  'hides a witness from the police', 'plans one last robbery', 'learns to tell the truth',
  'hunts a man who never existed', 'crosses the border with a borrowed passport'
]
const turns = [
  'Nobody believes the story', 'Every clue leads back home', 'The letters keep arriving', 'Old friends take sides',
  'The storm cuts off the road', 'A photograph changes everything', 'The money was never there'
]
const pasts = [
  'left years ago', 'saw it all from the roof', 'once lied under oath', 'speaks no known language',
  'has nothing to lose', 'kept the key'
]
const quotes = ['«Тишина — это тоже ответ.»', '“Say it again,” she said.', '「また会いましょう」', 'Über allem: Stille. 🎬']
