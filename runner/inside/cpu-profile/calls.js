/** @import { FunctionTime } from './summarise.js' */

/**
 * How often a function of a profile was called, from V8's precise coverage. Pure.
 *
 * The two name a function's place in different ways (the profile by line and column of its parameters, the coverage by
 * the offset of its first token), so that the same name on the same line has to do; where there are several, the
 * nearest before.
 *
 * @param {Pick<FunctionTime, 'name' | 'url' | 'line' | 'column'>} wanted
 * @param {readonly { url: string, functions: { name: string, start: number, calls: number }[] }[]} coverage
 * @param {(url: string) => string | null} sourceOf the text of a file
 * @returns {number | null} null where it was not counted, or not rightly: an async function
 */
export function callsOf (wanted, coverage, sourceOf) {
  const functions = coverage.find(({ url }) => url === wanted.url)?.functions
  const source = functions ? sourceOf(wanted.url) : null
  if (!functions || source === null) return null
  const name = wanted.name.startsWith('function at ') ? '' : wanted.name.replace(/^.*[. ]/, '')
  const found = functions
    // The rest of an async function after each `await` counts as one more call of it.
    .filter(({ start }) => !/^async\b/.test(source.slice(start)) && !/\basync\s*$/.test(source.slice(0, start)))
    .filter((one) => one.name.replace(/^.*[. ]/, '') === name)
    .map(({ start, calls }) => ({ ...positionOf(source, start), calls }))
    .filter(({ line, column }) => line === wanted.line && column <= wanted.column)
    .sort((a, b) => b.column - a.column)
  return found[0]?.calls ?? null
}

/** @param {string} source @param {number} offset @returns {{ line: number, column: number }} from 1 */
function positionOf (source, offset) {
  const before = source.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
