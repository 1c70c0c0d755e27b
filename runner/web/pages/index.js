import { renderMarkdown } from './markdown.js'

export { comparePage } from './compare-page.js'
export { isDoc } from './markdown.js'
export { docPage } from './home.js'
export { homePage } from './home.js'
export { lessonPage } from './lesson.js'
export { roomParts } from './room-bar.js'
export { profilePage } from './profile-page.js'
export { filesHtml } from './room-bar.js'

/**
 * @param {string} text Markdown
 * @param {string} slug of the lesson in which it appears
 * @returns {string} HTML
 */
export function markdownHtml (text, slug) {
  return String(renderMarkdown(text, { slug }).html)
}
