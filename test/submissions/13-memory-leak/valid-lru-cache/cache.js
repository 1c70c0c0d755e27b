'use strict'
const LRU = require('lru-cache')

/** Bounded by the bytes of the pages. Who asks for a page that is being made waits for the same one. */
exports.openCache = function (make) {
  const pages = new LRU({
    maxSize: 4e6,
    sizeCalculation: ({ html }) => html.length,
    fetchMethod: (key, old, { context: [id, lang] }) => make(id, lang),
    // A page that was refreshed while it was made goes to those who have waited for it, and not into the cache.
    ignoreFetchAbort: true
  })
  const keyOf = (id, lang) => `${lang} ${id}`
  return {
    async get (id, lang) {
      const page = await pages.fetch(keyOf(id, lang), { fetchContext: [id, lang] })
      // Anybody can ask for any number of pages that do not exist.
      if (page.status === 404) pages.delete(keyOf(id, lang))
      return page
    },
    forget (id, languages) {
      for (const lang of languages) pages.delete(keyOf(id, lang))
    }
  }
}
