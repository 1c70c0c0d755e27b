import { frame } from '../../http/index.js'
import { html } from '../../report/index.js'

/**
 * @param {{ title: string, message: string }} error message: a sentence
 * @returns {string} HTML
 */
export function refusalPage ({ title, message }) {
  return frame({
    title: `${title} · Make It Fast`,
    home: null,
    main: html`<h1>${title}</h1><p>${message}</p>`
  })
}
