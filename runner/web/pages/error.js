import { frame } from '../../http/index.js'
import { escapeHtml } from '../../report/index.js'

/**
 * @param {{ title: string, message: string }} error message: a sentence
 * @returns {string} HTML
 */
export function errorPage ({ title, message }) {
  return frame({
    title: `${title} · Make It Fast`,
    main: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p><p><a href="/">All lessons</a></p>`
  })
}
