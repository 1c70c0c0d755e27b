/**
 * Reads the part of XML 1.0 (https://www.w3.org/TR/xml/) that a report may use, and nothing else: no document type, no
 * comments, no CDATA. What is not well-formed throws.
 *
 * @typedef {{ name: string, attributes: Record<string, string>, children: Element[], text: string }} Element
 */

const name = '[A-Za-z_][\\w.-]*'
const reference = '&(?:amp|lt|gt|quot|apos|#\\d+|#x[\\dA-Fa-f]+);'
const value = `"(?:[^<&"]|${reference})*"`
const attribute = new RegExp(`\\s+(${name})=(${value})`, 'gy')
const start = new RegExp(`<(${name})((?:\\s+${name}=${value})*)\\s*(/?)>`, 'y')
const end = new RegExp(`</(${name})\\s*>`, 'y')
const characters = new RegExp(`(?:[^<&>]|>|${reference})+`, 'y')
/** Production 2, Char, negated. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** @param {string} source @returns {Element} the root */
export function readXml (source) {
  if (forbidden.test(source)) throw new Error('a character that XML has not')
  const [declaration] = /^(<\?xml version="1.0" encoding="UTF-8"\?>\n)?/.exec(source) ?? ['']
  const whole = { name: '', attributes: {}, children: [], text: '' }
  /** @type {Element[]} */
  const open = [whole]
  for (let at = declaration.length; at < source.length;) {
    const take = (/** @type {RegExp} */ pattern) => {
      pattern.lastIndex = at
      const match = pattern.exec(source)
      if (match) at += match[0].length
      return match
    }
    const text = take(characters)?.[0]
    if (text !== undefined) {
      if (text.includes(']]>')) throw new Error(']]> in text')
      open[open.length - 1].text += decoded(text)
      continue
    }
    const closed = take(end)
    if (closed) {
      if (open.pop()?.name !== closed[1]) throw new Error(`</${closed[1]}> ends what it did not begin`)
      continue
    }
    const opened = take(start)
    if (!opened) throw new Error(`not XML: ${JSON.stringify(source.slice(at, at + 60))}`)
    const element = { name: opened[1], attributes: attributesOf(opened[2]), children: [], text: '' }
    open[open.length - 1].children.push(element)
    if (opened[3] === '') open.push(element)
  }
  if (open.length !== 1 || whole.children.length !== 1 || whole.text.trim() !== '') throw new Error('not one root')
  return whole.children[0]
}

/** @param {string} source @returns {Record<string, string>} */
function attributesOf (source) {
  const pairs = [...source.matchAll(attribute)].map(([, key, quoted]) => [key, decoded(quoted.slice(1, -1))])
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`twice the same: ${source}`)
  return Object.fromEntries(pairs)
}

/** @type {Record<string, string>} */
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** @param {string} text */
function decoded (text) {
  return text.replace(/&(#x?)?(\w+);/g, (_, number, what) =>
    number ? String.fromCodePoint(parseInt(what, number === '#' ? 10 : 16)) : entities[what])
}
