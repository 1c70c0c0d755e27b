import { frame } from '../../http/index.js'
import { escapeHtml } from '../../report/index.js'

/**
 * @param {{ title: string, message: string }} error message: a sentence
 * @returns {string} HTML
 */
export function refusalPage ({ title, message }) {
  return frame({
    title: `${title} · Make It Fast`,
    home: null,
    main: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p>`
  })
}
