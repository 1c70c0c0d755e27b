/**
 * Pages by article and language: as many as there is room for, the ones that were not read for the longest time go
 * first. Who asks for a page that is being fetched waits for that fetch, unless the article was refreshed since.
 */
export function openShelf ({ room, languages, fetchPage }) {
  const pages = new Map()
  const underWay = new Map()

  async function fetch (key, id, lang) {
    const call = fetchPage(id, lang)
    underWay.set(key, call)
    try {
      const page = await call
      if (underWay.get(key) === call) put(key, page)
      return page
    } finally {
      if (underWay.get(key) === call) underWay.delete(key)
    }
  }

  function put (key, page) {
    pages.delete(key)
    pages.set(key, page)
    if (pages.size > room) pages.delete(pages.keys().next().value)
  }

  return {
    async get (id, lang) {
      const key = `${lang}/${id}`
      const page = pages.get(key)
      if (page === undefined) return underWay.get(key) ?? fetch(key, id, lang)
      put(key, page)
      return page
    },
    /** What is on the shelf and what is on its way is from before. */
    refresh (id) {
      for (const lang of languages) {
        pages.delete(`${lang}/${id}`)
        underWay.delete(`${lang}/${id}`)
      }
    }
  }
}
