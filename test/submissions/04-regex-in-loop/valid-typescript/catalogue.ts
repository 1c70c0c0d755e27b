export interface Fields { Title: string, Genre: string, [field: string]: unknown }
export interface Movie extends Fields { id: number }

/** Many movies share few genres: a search looks at each genre once, and at the movies only for the number of theirs. */
export class Catalogue {
  readonly #movies: Movie[] = []
  /** For each movie the number of its genre. */
  readonly #numbers: number[] = []
  readonly #genres: string[] = []
  readonly #numberOf = new Map<string, number>()

  add (fields: Fields): Movie {
    const movie: Movie = { ...fields, id: this.#movies.length + 1 }
    this.#movies.push(movie)
    this.#numbers.push(this.#number(fields.Genre.toLowerCase()))
    return movie
  }

  /** The first `limit` movies whose genre contains `text`, in the order of the catalogue. */
  search (text: string, limit: number): Movie[] {
    const wanted = text.toLowerCase()
    const matching = this.#genres.map((genre) => genre.includes(wanted))
    const found: Movie[] = []
    for (let i = 0; i < this.#movies.length && found.length < limit; i++) {
      if (matching[this.#numbers[i]]) found.push(this.#movies[i])
    }
    return found
  }

  #number (genre: string): number {
    const known = this.#numberOf.get(genre)
    if (known !== undefined) return known
    const number = this.#genres.push(genre) - 1
    this.#numberOf.set(genre, number)
    return number
  }
}
