/**
 * Where two texts differ: what they begin and end with alike, in whole words, is left out. Pure.
 *
 * @param {string} a
 * @param {string} b
 * @returns {{ start: number, ends: [number, number] }} ends: of what differs, in the one and in the other
 */
export function differingPart (a, b) {
  const start = alike(a, b)
  const end = alike(reversed(a.slice(start)), reversed(b.slice(start)))
  return { start, ends: [a.length - end, b.length - end] }
}

/** The length of the two texts' common beginning, in whole words. @param {string} a @param {string} b */
function alike (a, b) {
  let count = 0
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count++
  while (count > 0 && /\w/.test(a[count - 1]) && /\w/.test((a[count] ?? '') + (b[count] ?? ''))) count--
  return count
}

/** @param {string} text */
function reversed (text) {
  return text.split('').reverse().join('')
}
