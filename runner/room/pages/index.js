import { escapeHtml } from '../../report/index.js'

/**
 * @param {{ title: string, message: string }} error message: a sentence
 * @returns {string} HTML
 */
export function refusalPage ({ title, message }) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Make It Fast</title>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
</html>
`
}
