/**
 * A catalogue that is searched by genre. For each text that was asked for lately it remembers which movies matched and
 * how far the search has come. A later search goes on from there, so a result that is kept is never out of date: new
 * movies stand at the end, where nobody has looked yet.
 */

const MOST_SEARCHES = 500
const LONGEST_TEXT = 64

export function createCatalogue (movies) {
  /** Each movie as the JSON that is sent, and its genre as it is compared. */
  const texts = []
  const genres = []
  /** The least recently used first. @type {Map<string, { found: number[], searched: number }>} */
  const searches = new Map()
  for (const movie of movies) keep(movie)

  return { find, add }

  /** @returns {string[]} the first `limit` movies whose genre contains the text */
  function find (genre, limit) {
    const text = foldCase(genre)
    const search = searchOf(text)
    const { found } = search
    while (search.searched < genres.length && found.length < limit) {
      if (genres[search.searched].includes(text)) found.push(search.searched)
      search.searched++
    }
    return found.slice(0, limit).map((position) => texts[position])
  }

  /** @returns {string} the movie with its id */
  function add (movie) {
    return keep({ ...movie, id: texts.length + 1 })
  }

  function keep (movie) {
    const text = JSON.stringify(movie)
    texts.push(text)
    genres.push(foldCase(movie.Genre))
    return text
  }

  function searchOf (text) {
    const search = searches.get(text) ?? { found: [], searched: 0 }
    // Long texts are rare, and keys of any length would be memory that clients decide on.
    if (text.length > LONGEST_TEXT) return search
    searches.delete(text)
    searches.set(text, search)
    if (searches.size > MOST_SEARCHES) searches.delete(searches.keys().next().value)
    return search
  }
}

function foldCase (text) {
  // A sigma at the end of a word has a small letter of its own.
  return text.toLowerCase().replaceAll('ς', 'σ')
}
