import { readName } from './name.js'
import { readHeavy } from './read-prof.js'
import { percentInColumn as percent } from '../../format.js'

/**
 * The six sections of `--prof-process`, explained. Pure.
 *
 * @import { Section } from '../../report/index.js'
 * @import { ProfLog } from './logs.js'
 * @import { TickName } from './name.js'
 * @import { HeavyRow, ProfText, TickRow } from './parse.js'
 */

const longest = 5
const chains = 3
const depth = 4
// A C++ name with its types may be wider than a terminal.
const longestName = 40

const explained = {
  libraries:
    '“Shared libraries”: ticks in native code of which V8 knows no more than the file: Node.js itself with V8, ' +
      'OpenSSL and zlib, the C library. nonlib, in the text, leaves these out.',
  javascript: '“JavaScript”: ticks in JavaScript functions themselves, without what they called.',
  cpp: '“C++”: ticks in native functions that have a name.',
  summary: '“Summary”: where the ticks fell altogether. GC counts within the other lines, too.',
  entries:
    '“C++ entry points”: through which native functions JavaScript went into C++; the share is of the ticks in C++.',
  heavy:
    '“Bottom up (heavy) profile”: the hottest lines once more, and under each who called it (one dot more, one call ' +
      'further up): a share is of the line above. Only the heaviest callers are shown here.'
}

/**
 * @param {ProfText} text
 * @param {{ dir: string, idle: number, whose: string, others: ProfLog[], notes: string[], problems: string[] }} given
 *   dir: the folder of the server; idle: ticks in which it waited; whose: thread; others: logs not shown; notes:
 *   sentences
 * @returns {Section[]}
 */
export function profSections (text, { dir, idle, whose, others, notes, problems }) {
  if (text.ticks === 0) {
    return [
      {
        title: 'Reading',
        text: ['V8 took no sample (tick) of this thread: it did next to nothing. Record for longer with --seconds.']
      },
      ...furtherSections({ others, notes, problems })
    ]
  }
  const flat = (
    /** @type {string} */ title,
    /** @type {keyof typeof explained} */ key,
    /** @type {TickRow[]} */ rows
  ) => flatSection(title, explained[key], rows, dir)
  return [
    flat('Libraries', 'libraries', text.libraries),
    flat('JavaScript', 'javascript', text.javascript),
    flat('C++', 'cpp', text.cpp),
    flat('Summary', 'summary', text.summary),
    flat('Entries', 'entries', text.entries),
    heavySection(text, dir),
    { title: 'Reading', text: sentences(text, { dir, idle, whose }) },
    ...furtherSections({ others, notes, problems })
  ]
}

/**
 * @param {ProfText} text
 * @param {{ dir: string, idle: number, whose: string }} given
 * @returns {string[]}
 */
export function sentences (text, { dir, idle, whose }) {
  const { ticks, unaccounted } = text
  const idleShare = idle / ticks
  const found = [
    `${ticks} ticks: V8 looked that often, about once a millisecond, where the ${whose} was, from its start ` +
      `on.${idleShare >= 0.01 ? ` In ${percent(idleShare)} of them the event loop waited.` : ''}`
  ]
  if (unaccounted / ticks > 0.2) {
    found.push(
      `${percent(unaccounted / ticks)} of the ticks are unaccounted: V8 found no name for the native code that ran. ` +
        'Bottom up lists it as UNKNOWN, but its callers are known.'
    )
  }
  const reading = readHeavy(text.heavy, { dir })
  if (reading === null) {
    return [
      ...found,
      'No line called from JavaScript stands out: this thread waited, or started up, most of the time.'
    ]
  }
  const { hottest, hottestTicks, yours, yoursTicks } = reading
  const where = `${named(hottest)}, with ${percent(hottestTicks / ticks)} of the ticks`
  if (yours === null) {
    return [
      ...found,
      `The hottest line is ${where}. None of your functions is among its callers that the text lists: \`--tool cpu\` ` +
        'follows them further up.'
    ]
  }
  if (yours.place === hottest.place && yours.name === hottest.name) {
    return [
      ...found,
      `The hottest line is your own ${where}. What does it do for every request that it could do once, or not at all?`
    ]
  }
  return [
    ...found,
    `The hottest line is ${where}. Of your functions, ${named(yours)} is nearest to it: ` +
      `${percent(yoursTicks / hottestTicks)} of those ticks came through it. Which call in it leads there, and does ` +
      'every request need it?'
  ]
}

/** @param {string} title @param {string} explanation @param {TickRow[]} rows @param {string} dir @returns {Section} */
function flatSection (title, explanation, rows, dir) {
  const lines = rows.slice(0, longest).map((row) => ({ ...row, read: readName(row.name, { dir }) }))
  return {
    title,
    text: [explanation],
    align: ['right', 'right', 'left', 'left'],
    rows: lines.map(({ ticks, share, read: { name, place } }) => [
      String(ticks),
      percent(share),
      shown(name, place),
      place
    ]),
    strong: lines.flatMap(({ read: { owner } }, at) => (owner === 'yours' ? [at] : [])),
    notes:
      rows.length === 0 ? ['None.'] : rows.length > longest ? [`… and ${rows.length - longest} more in the text.`] : []
  }
}

/** @param {ProfText} text @param {string} dir @returns {Section} */
function heavySection ({ heavy }, dir) {
  const lines = heavy
    .slice(0, chains)
    .flatMap((row) => heaviestChain(row))
    .map(({ row, level }) => ({ ...row, level, read: readName(row.name, { dir }) }))
  return {
    title: 'Bottom up',
    text: [explained.heavy],
    align: ['right', 'right', 'left', 'left'],
    rows: lines.map(({ ticks, share, level, read: { name, place } }) => [
      String(ticks),
      percent(share),
      `${'. '.repeat(level)}${shown(name, place)}`,
      place
    ]),
    strong: lines.flatMap(({ read: { owner } }, at) => (owner === 'yours' ? [at] : []))
  }
}

/** @param {HeavyRow} row @returns {{ row: HeavyRow, level: number }[]} */
function heaviestChain (row) {
  const chain = [{ row, level: 0 }]
  for (let [next] = row.callers; next !== undefined && chain.length <= depth; [next] = next.callers) {
    chain.push({ row: next, level: chain.length })
  }
  return chain
}

/** @param {{ others: ProfLog[], notes: string[], problems: string[] }} given @returns {Section[]} */
function furtherSections ({ others, notes, problems }) {
  /** @type {Section[]} */
  const sections = [
    {
      title: 'Other logs',
      text: others.length === 0 ? [] : ['V8 writes one log for each thread; shown is the one with the most work.'],
      align: ['left', 'right'],
      rows: others.map(({ whose, ticks, idle }) => [whose, `${ticks - idle} busy ticks`])
    },
    { title: 'Note', text: notes },
    { title: 'Wrong', text: problems.slice(0, 3) }
  ]
  return sections.filter(({ text = [] }) => text.length > 0)
}

/** @param {string} name @param {string} place in the next column */
function shown (name, place) {
  if (place !== '' && name.endsWith(place)) return '(anonymous)'
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}

/** @param {TickName} name */
function named ({ name, place }) {
  return place === '' || name.endsWith(place) ? name : `${name} (${place})`
}
