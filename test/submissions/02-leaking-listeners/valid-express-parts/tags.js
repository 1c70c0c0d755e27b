import etag from 'etag'
import LruCache from 'lru-cache'

// Bounded: anybody can invent a query string, and a tag can be made anew.
const tags = new LruCache({ max: 5000 })

/** The weak ETag of what an answer shows of its content. The time stamp is no part of it. */
export function tagOf (content) {
  const tag = tags.get(content.url) ?? etag(JSON.stringify(content), { weak: true })
  tags.set(content.url, tag)
  return tag
}
