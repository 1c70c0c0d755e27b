import { createHash } from 'node:crypto'

export type Fields = { Title?: string, [field: string]: unknown }
export type Movie = Fields & { id: number }
export type Page = { readonly body: Buffer, readonly etag: string }

/** The films, and their list as bytes, which lives until the next film comes. */
export class Catalogue {
  readonly #movies: Movie[]
  #page: Page | undefined

  constructor (movies: Movie[]) {
    this.#movies = movies
  }

  find (id: number): Movie | undefined {
    return this.#movies[id - 1]
  }

  add (fields: Fields): Movie {
    const movie = { ...fields, id: this.#movies.length + 1 }
    this.#movies.push(movie)
    this.#page = undefined
    return movie
  }

  page (): Page {
    this.#page ??= render(this.#movies)
    return this.#page
  }
}

function render (movies: readonly Movie[]): Page {
  const body = Buffer.from(JSON.stringify(movies))
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }
}
