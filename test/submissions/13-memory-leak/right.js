import { patch } from '../apply.js'

export default [
  {
    name: 'base',
    on: 'solution',
    why: 'A cache with a bound and a count of refreshes, in the file of its server: the wrong ones change it.',
    files: 'right/base',
    change: {
      'page-cache.js': null
    }
  },
  {
    name: 'valid-begins-again',
    on: 'solution',
    why: 'A page that’s refreshed while it’s being made is made once more, for all who wait for it.',
    change: patch`
      @@ page-cache.js
      -      return underWay.get(key) ?? load(key, id, lang)
      +      return underWay.get(key)?.promise ?? load(key, id, lang)
      @@
      -        // From now on no client may get a page that's being rendered from the older edition.
      -        underWay.delete(keyOf(id, lang))
      +        const job = underWay.get(keyOf(id, lang))
      +        if (job) job.isStale = true
      @@
      -    const promise = make(id, lang)
      -    underWay.set(key, promise)
      -    try {
      -      const page = await promise
      -      if (page.keep && underWay.get(key) === promise) keep(key, page)
      -      return page
      -    } finally {
      -      if (underWay.get(key) === promise) underWay.delete(key)
      -    }
      +    const job = { isStale: true }
      +    job.promise = (async () => {
      +      try {
      +        let page
      +        while (job.isStale) {
      +          job.isStale = false
      +          page = await make(id, lang)
      +        }
      +        if (page.keep) keep(key, page)
      +        return page
      +      } finally {
      +        underWay.delete(key)
      +      }
      +    })()
      +    underWay.set(key, job)
      +    return job.promise
    `
  },
  {
    name: 'valid-cleared-when-full',
    on: 'base',
    why: 'A full cache is emptied as a whole, and keeps promises, so that concurrent visitors share one call.',
    change: patch`
      -const MOST = 200
      -…
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
      +const MOST = 150
      +let pages = new Map()
      +
      +async function pageFor (id, lang) {
      +  const key = \`\${lang}:\${id}\`
      +  if (!pages.has(key)) {
      +    if (pages.size >= MOST) pages = new Map()
      +    const shelf = pages
      +    const promise = make(id, lang)
      +    const forget = () => shelf.get(key) === promise && shelf.delete(key)
      +    shelf.set(key, promise)
      +    promise.then(({ status }) => status === 404 && forget(), forget)
      +  }
      +  return pages.get(key)
      +}
      +
      +function refresh (id) {
      +  for (const lang of languages) pages.delete(\`\${lang}:\${id}\`)
    `
  },
  {
    name: 'valid-fetches-each-again',
    on: 'slow',
    why: 'A refresh marks what’s being fetched, and each of its visitors has it fetched once more; a segmented cache.',
    files: 'right/fetches-each-again'
  },
  {
    name: 'valid-time-and-bound',
    on: 'base',
    why: 'Pages that do not exist are kept, too, within a bound and for a minute.',
    change: patch`
      -const MOST = 200
      +// Everything that the newsroom says is kept for a while, also that there is no such article: 240 pages, first \
        in, first
      +// out.
      +const MOST = 240
      +const TTL_MS = 60_000
       const pages = new Map()
      -const refreshes = new Map()
      +let refreshes = 0
      @@
      -  const key = \`\${lang} \${id}\`
      -  const refreshed = refreshes.get(id) ?? 0
      +  const key = JSON.stringify([id, lang])
         const kept = pages.get(key)
      -  if (kept && kept.refreshed === refreshed) return kept
      -…
      -  pages.set(key, page)
      +  if (kept && kept.until > Date.now()) {
      +    pages.delete(key)
      +    pages.set(key, kept)
      +    return kept.page
      +  }
      +  const before = refreshes
      +  const page = await make(id, lang)
      +  // Some article was refreshed meanwhile. It does not matter which: this page is made again for the next \
        visitor.
      +  if (before === refreshes) pages.set(key, { page, until: Date.now() + TTL_MS })
      @@
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
      +  refreshes++
      +  for (const lang of languages) pages.delete(JSON.stringify([id, lang]))
      @@
      +setInterval(() => {
      +  for (const [key, { until }] of pages) if (until <= Date.now()) pages.delete(key)
      +}, 10_000).unref()
      +
       async function make (id, lang) {
    `
  },
  {
    name: 'valid-two-generations',
    on: 'base',
    why: 'Two maps take turns: what is asked for moves into the young one, and the old one goes as a whole.',
    files: 'right/two-generations',
    change: patch`
      -const MOST = 200
      -…
      -  refreshes.set(id, (refreshes.get(id) ?? 0) + 1)
      +// Two maps: what is asked for moves into the young one; when that is full, the old one goes as a whole.
      +const MOST = 100
      +let young = new Map()
      +let old = new Map()
      +const refreshed = new WeakMap()
      +const current = new Map()
      +
      +function put (key, page) {
      +  if (young.size >= MOST) {
      +    old = young
      +    young = new Map()
      +  }
      +  young.set(key, page)
      +}
      +
      +async function pageFor (id, lang) {
      +  const key = \`\${id}/\${lang}\`
      +  const kept = young.get(key) ?? old.get(key)
      +  if (kept) {
      +    if (!young.has(key)) put(key, kept)
      +    return kept
      +  }
      +  // A token for each article that is being fetched: a refresh makes it worthless.
      +  const token = current.get(id) ?? { asking: 0 }
      +  current.set(id, token)
      +  token.asking++
      +  try {
      +    const page = await make(id, lang)
      +    if (page.status === 200 && !refreshed.has(token)) put(key, page)
      +    return page
      +  } finally {
      +    if (--token.asking === 0 && current.get(id) === token) current.delete(id)
      +  }
      +}
      +
      +function refresh (id) {
      +  for (const lang of languages) {
      +    young.delete(\`\${id}/\${lang}\`)
      +    old.delete(\`\${id}/\${lang}\`)
      +  }
      +  const token = current.get(id)
      +  if (token) refreshed.set(token, true)
      +  current.delete(id)
    `
  }
]
