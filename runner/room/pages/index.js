import { escapeHtml } from '../../report/index.js'

/** The pages of a room: pure functions of data, which `server/` sends. */

/**
 * What a learner sees who opens the address of the room, or its QR code.
 *
 * @param {string} address with the code
 * @returns {string} HTML
 */
export function joinPage (address) {
  return page('Join the room', `<p>In the folder of the workshop, type:</p>
<pre>npm run join ${escapeHtml(address)} -- --name "Ada"</pre>
<p>with your own name. It says what is sent, and asks, before anything is.</p>`)
}

/**
 * @param {{ title: string, message: string }} error message: a sentence
 * @returns {string} HTML
 */
export function refusalPage ({ title, message }) {
  return page(title, `<p>${escapeHtml(message)}</p>`)
}

/** @param {string} title @param {string} main HTML */
function page (title, main) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Make It Fast</title>
<h1>${escapeHtml(title)}</h1>
${main}
</html>
`
}
