/**
 * A segmented LRU cache of pages. A page that's requested for the first time is a newcomer, and one that's requested
 * again a regular, so no number of pages that are requested only once can displace those that are read all day.
 */
export class SegmentedCache {
  #newcomers = new Map()
  #regulars = new Map()
  #limits

  constructor (limits) {
    this.#limits = limits
  }

  get (id, lang) {
    const key = `${lang}:${id}`
    const page = this.#regulars.get(key) ?? this.#newcomers.get(key)
    if (!page) return undefined
    this.#newcomers.delete(key)
    this.#regulars.delete(key)
    this.#regulars.set(key, page)
    if (this.#regulars.size > this.#limits.regulars) {
      const [oldKey, oldPage] = this.#regulars.entries().next().value
      this.#regulars.delete(oldKey)
      this.#addNewcomer(oldKey, oldPage)
    }
    return page
  }

  set (id, lang, page) {
    const key = `${lang}:${id}`
    if (this.#regulars.has(key)) this.#regulars.set(key, page)
    else this.#addNewcomer(key, page)
  }

  delete (id, lang) {
    const key = `${lang}:${id}`
    this.#newcomers.delete(key)
    this.#regulars.delete(key)
  }

  #addNewcomer (key, page) {
    this.#newcomers.delete(key)
    this.#newcomers.set(key, page)
    if (this.#newcomers.size > this.#limits.newcomers) this.#newcomers.delete(this.#newcomers.keys().next().value)
  }
}
