/** A strong ETag, quoted (RFC 9110, section 8.8.3). */
export const strongTag = /^"[!#-~]*"$/

export const cacheControl = 'public, no-cache'

/**
 * What is wrong with an ETag, or undefined.
 *
 * @param {string | undefined} etag
 */
export function wrongTag (etag) {
  if (etag === undefined) return 'there is no ETag'
  if (etag.startsWith('W/')) return `expected a strong ETag, got the weak one ${etag}`
  if (!strongTag.test(etag)) return `expected a quoted ETag, got ${etag}`
}
