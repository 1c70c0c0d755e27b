/**
 * Pages by article and language: a bounded number, the most recently requested ones.
 *
 * @param {{ most: number, make: (id: string, lang: string) => Promise<any> }} options
 *   make: renders a page, which is kept if it says so (`keep`)
 */
export function createPageCache ({ most, make }) {
  // A Map remembers the order in which its keys came: the first one is the one to go.
  const pages = new Map()
  const underWay = new Map()

  const keep = (key, page) => {
    pages.delete(key)
    pages.set(key, page)
    if (pages.size > most) pages.delete(pages.keys().next().value)
  }

  return {
    async get (id, lang) {
      const key = keyOf(id, lang)
      const page = pages.get(key)
      if (page) {
        keep(key, page)
        return page
      }
      return underWay.get(key) ?? load(key, id, lang)
    },
    forget (id, languages) {
      for (const lang of languages) {
        pages.delete(keyOf(id, lang))
        // From now on no client may get a page that's being rendered from the older edition.
        underWay.delete(keyOf(id, lang))
      }
    }
  }

  async function load (key, id, lang) {
    const promise = make(id, lang)
    underWay.set(key, promise)
    try {
      const page = await promise
      if (page.keep && underWay.get(key) === promise) keep(key, page)
      return page
    } finally {
      if (underWay.get(key) === promise) underWay.delete(key)
    }
  }
}

// What the content depends on, and nothing else of the URL.
function keyOf (id, lang) {
  return `${lang} ${id}`
}
