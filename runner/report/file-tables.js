import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { shownPath } from '../shared/text.js'
import { themeFor, wrapText } from './theme.js'

/**
 * The learner's files and the workshop's, for a terminal: whole, or what differs between two folders of them.
 *
 * @import { StructuredPatchHunk } from 'diff'
 * @import { Style, TextOptions, Theme } from './theme.js'
 *
 * @typedef {{ text?: string, note?: string }} FileContent its text, or a note on why it's missing: `is binary`
 * @typedef {{ dir: string, files: Map<string, FileContent> }} Tree files by path below `dir`
 */

/** Two texts with nothing in common take long to compare. */
const longestMs = 2000
const mostFiles = 50

/** @param {Tree} tree @param {TextOptions} [options] @returns {string} lines without a newline at the end */
export function filesText ({ dir, files }, options) {
  const theme = themeFor(options)
  return [...files].map(([name, { text, note }]) => [
    fileLink(path.join(dir, name), theme),
    '',
    ...text === undefined ? noteLines(name, note, theme) : theme.source(text.trimEnd())
  ].join('\n')).join('\n\n')
}

/**
 * @typedef {object} Difference of one file
 * @property {string} name
 * @property {FileContent} [from] undefined: it isn't there
 * @property {FileContent} [to]
 * @property {string} [note] why its lines aren't compared
 * @property {StructuredPatchHunk[]} hunks
 *
 * @param {Map<string, FileContent>} before
 * @param {Map<string, FileContent>} after
 * @param {number} context lines around each change
 * @returns {Promise<Difference[]>} of the files that differ
 */
export async function differencesOf (before, after, context) {
  // Imported here: every command loads this module, but only one compares texts.
  const { structuredPatch } = await import('diff')
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((name) => {
    const [from, to] = [before.get(name), after.get(name)]
    const note = from?.note ?? to?.note
    if (from && to && from.note === to.note && linesOf(from) === linesOf(to)) return []
    if (note !== undefined) return [{ name, from, to, note, hunks: [] }]
    const patch = structuredPatch('', '', linesOf(from), linesOf(to), '', '', { context, timeout: longestMs })
    return [patch === undefined
      ? { name, from, to, note: 'has changed too much to be compared line by line', hunks: [] }
      : { name, from, to, hunks: patch.hunks }]
  })
}

/** How lines end is git's affair. @param {FileContent} [file] */
export function linesOf (file) {
  return (file?.text ?? '').replaceAll('\r\n', '\n')
}

/**
 * The differences, as a unified diff; a sentence says what can't be shown.
 *
 * @param {Tree} before
 * @param {Tree} after
 * @param {TextOptions} [options]
 * @returns {Promise<string | null>} lines without a newline at the end; null if nothing differs
 */
export async function diffText (before, after, options) {
  const theme = themeFor(options)
  const differences = await differencesOf(before.files, after.files, 3)
  if (differences.length === 0) return null
  const shown = differences.slice(0, mostFiles).map(({ name, from, to, note, hunks }) => [
    sideLine('---', from && path.join(before.dir, name), theme),
    sideLine('+++', to && path.join(after.dir, name), theme),
    ...note === undefined ? layoutHunks(hunks, theme) : noteLines(name, note, theme)
  ].join('\n'))
  return [...shown, ...wrapText(countsOf(differences), theme.columns)].join('\n\n')
}

/** @param {string} sign @param {string | undefined} file @param {Theme} theme */
function sideLine (sign, file, theme) {
  const name = file === undefined ? '/dev/null' : fileLink(file, theme)
  return theme.paint('strong', `${sign} `) + name
}

/** @param {string} file @param {Theme} theme */
function fileLink (file, theme) {
  return theme.link(pathToFileURL(file).href, theme.paint('strong', theme.line(shownPath(file))))
}

/** @param {string} name @param {string | undefined} note @param {Theme} theme */
function noteLines (name, note, theme) {
  return wrapText(`${theme.line(name)} ${note}.`, theme.columns)
}

/** @param {Difference[]} differences @returns {string} `2 files changed, 1 new.` */
function countsOf (differences) {
  const fresh = differences.filter(({ from }) => from === undefined).length
  const gone = differences.filter(({ to }) => to === undefined).length
  const counts = [[differences.length - fresh - gone, 'changed'], [fresh, 'new'], [gone, 'deleted']]
    .filter(([count]) => Number(count) > 0)
    .map(([count, word], at) => `${count}${at > 0 ? '' : count === 1 ? ' file' : ' files'} ${word}`)
  const more = differences.length > mostFiles ? ` The first ${mostFiles} are shown.` : ''
  return `${counts.join(', ')}.${more}`
}

/** The hunks of a unified diff. */

/** @type {Record<string, Style>} */
const styles = { '+': 'pass', '-': 'fail', '\\': 'secondary' }

/** No line is cut, so that a diff can be applied. @param {StructuredPatchHunk[]} hunks @param {Theme} theme */
function layoutHunks (hunks, { paint, source }) {
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    paint('code', `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`),
    ...lines.map((line) => paint(styles[line[0]], line[0] + source(line.slice(1)).join('')))
  ])
}

/** @param {number} start @param {number} count @returns {string} as GNU diff writes it: `3` or `3,2` */
function rangeOf (start, count) {
  // An empty range names the line before it.
  const first = count === 0 ? start - 1 : start
  return count === 1 ? `${first}` : `${first},${count}`
}
