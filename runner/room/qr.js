import { capabilitiesOf } from '../report/index.js'

/**
 * A QR code for a terminal.
 *
 * @param {string} text
 * @param {{ write: (text: string) => unknown, columns?: number, isTTY?: boolean }} output
 * @returns {Promise<string | null>} lines; null: it can't be shown, or the package that draws it is missing
 */
export async function qrText (text, output) {
  const { columns, unicode, live } = capabilitiesOf(output)
  const uqr = unicode && live ? await import('uqr').catch(() => null) : null
  const lines = uqr?.renderUnicodeCompact(text, { border: 2 }).split('\n').map((line) => `  ${line}`)
  return lines && lines[0].length <= columns ? lines.join('\n') : null
}

/** The same for a page. @param {string} text @returns {Promise<string>} SVG */
export async function qrSvg (text) {
  return (await import('uqr')).renderSVG(text, { border: 2 })
}
