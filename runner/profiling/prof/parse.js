/**
 * The text that `node --prof-process` writes, as data. Pure.
 *
 * @typedef {{ ticks: number, share: number, name: string }} TickRow share: of all ticks, 0 to 1; in the entry points,
 *   of the C++ ticks
 * @typedef {TickRow & { callers: HeavyRow[] }} HeavyRow share: of all ticks on the top, else of the ticks of the line
 *   that it called
 *
 * @typedef {object} ProfText
 * @property {number} ticks
 * @property {number} unaccounted ticks
 * @property {TickRow[]} libraries
 * @property {TickRow[]} javascript
 * @property {TickRow[]} cpp
 * @property {TickRow[]} summary
 * @property {TickRow[]} entries into C++
 * @property {HeavyRow[]} heavy bottom up
 */

/** @type {Record<string, 'libraries' | 'javascript' | 'cpp' | 'summary' | 'entries'>} */
const flat = {
  'Shared libraries': 'libraries',
  JavaScript: 'javascript',
  'C++': 'cpp',
  Summary: 'summary',
  'C++ entry points': 'entries'
}

/**
 * @param {string} text
 * @returns {ProfText | null} null: not such a text
 */
export function parseProf (text) {
  const head = /^Statistical profiling result from .*\((\d+) ticks, (\d+) unaccounted/m.exec(text)
  if (head === null) return null
  /** @type {ProfText} */
  const found = {
    ticks: Number(head[1]),
    unaccounted: Number(head[2]),
    libraries: [],
    javascript: [],
    cpp: [],
    summary: [],
    entries: [],
    heavy: []
  }
  for (const { title, lines } of sectionsOf(text)) {
    if (Object.hasOwn(flat, title)) found[flat[title]] = lines.flatMap((line) => flatRow(line) ?? [])
    if (/^Bottom up/.test(title)) found.heavy = heavyRows(lines)
  }
  return found
}

/** @param {string} text @returns {{ title: string, lines: string[] }[]} */
function sectionsOf (text) {
  /** @type {{ title: string, lines: string[] }[]} */
  const sections = []
  for (const line of text.split(/\r?\n/)) {
    const title = /^ \[(.+)\]:\s*$/.exec(line)?.[1]
    if (title !== undefined) sections.push({ title, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
}

/** @param {string} line @returns {TickRow | null} */
function flatRow (line) {
  const [, ticks, share, name] = /^\s*(\d+)\s+([\d.]+)%(?:\s+[\d.]+%)?\s+(\S.*)$/.exec(line) ?? []
  return name === undefined ? null : { ticks: Number(ticks), share: Number(share) / 100, name }
}

/** Each call further up is indented by two more spaces. @param {string[]} lines @returns {HeavyRow[]} */
function heavyRows (lines) {
  /** @type {HeavyRow[]} */
  const roots = []
  /** @type {HeavyRow[]} */
  const chain = []
  for (const line of lines) {
    const [, ticks, share, indent, name] = /^\s*(\d+)\s+([\d.]+)% {2}( *)(\S.*)$/.exec(line) ?? []
    if (name === undefined) continue
    const depth = indent.length / 2
    const row = { ticks: Number(ticks), share: Number(share) / 100, name, callers: [] }
    chain.length = Math.min(chain.length, depth)
    ;(chain.at(-1)?.callers ?? roots).push(row)
    chain.push(row)
  }
  return roots
}
