import { createHash, randomBytes } from 'node:crypto'

// Part of every tag: what one run calls its third content is not what another does.
const run = randomBytes(4).toString('hex')

/** The content as it was last put, in the forms in which it is asked for. */
export function createContent (data) {
  let version = 0
  let text
  const content = {
    put (data) {
      version++
      text = JSON.stringify(data)
    },
    /** Every URL has an answer of its own, and therefore a tag of its own. */
    tagOf: (url) => `"${run}-${version}-${createHash('md5').update(url).digest('hex')}"`,
    bodyOf: (url) => `{"url":${JSON.stringify(url)},"data":${text}}`
  }
  content.put(data)
  return content
}
