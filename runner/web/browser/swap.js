/* global DOMParser, location */

/** What the server sent last of each part. @type {Map<string, string>} */
const known = new Map()

/**
 * Fetches this page anew and takes over the parts that are marked `data-swap`, each where it has changed: what is
 * typed, opened and focused elsewhere stays as it is.
 *
 * @returns {Promise<Document>} the new page
 */
export async function swap () {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null)
  // Whoever listens to the events says that the connection is gone.
  if (!answer?.ok) return document
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-swap]')) {
    const name = part.dataset.swap
    const news = page.querySelector(`[data-swap="${name}"]`)
    if (news === null || known.get(name) === news.outerHTML || part.isEqualNode(news)) continue
    if (part.contains(document.activeElement)) continue
    known.set(name, news.outerHTML)
    part.replaceWith(news)
  }
  return page
}
