import { frame } from '../../http/index.js'
import { html } from '../../report/index.js'
import { parts } from '../browser/views/parts.js'

/** @import { Html } from '../../report/index.js' */

/**
 * The frame of the public pages, which follow the room.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.name what the styles call it
 * @param {Html} page.main
 * @param {string} page.home where the name of the workshop leads
 * @param {string} page.events address of the stream
 * @returns {string} HTML
 */
export function roomFrame ({ title, name, main, home, events }) {
  return frame({
    title: `${title} · Make It Fast`,
    name,
    home,
    styles: ['/static/room/browser/public.css'],
    scripts: ['/static/room/browser/public.js'],
    data: { events },
    main: html`<p id="connection" class="note" role="status" hidden></p>
${main}`
  })
}

/**
 * @template {keyof typeof parts} Name
 * @param {Name} name
 * @param {Parameters<typeof parts[Name]>[0]} room
 * @param {Html} [attributes] of its element
 * @returns {Html} which the page redraws with each change
 */
export function partHtml (name, room, attributes = html``) {
  return html`<div data-part="${name}"${attributes}>${/** @type {(room: unknown) => Html} */ (parts[name])(room)}</div>`
}
