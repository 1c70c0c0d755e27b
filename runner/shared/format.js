/** Counts, shares and times as text, in the one way in which all of the workshop writes them. */

/**
 * @param {number} count
 * @param {string} one its plural ends in s
 * @returns {string} `1 lesson`, `3 lessons`
 */
export function plural (count, one) {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** With a capital letter, as a sentence begins. @param {string} text */
export function capitalised (text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** @param {number} seconds @returns {string} `about 3 more seconds`; less than one has no number */
export function moreTime (seconds) {
  const whole = Math.round(seconds)
  return whole < 1 ? 'a moment more' : `about ${plural(whole, 'more second')}`
}

/** @param {readonly string[]} names @returns {string} the first four, and how many more there are */
export function firstFew (names) {
  const shown = names.slice(0, 4)
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`
}

/** In a sentence, to one decimal below 10 %: `42 %`, `8.3 %`. @param {number} share 1 is all */
export function percent (share) {
  return `${Number((share * 100).toFixed(share < 0.0995 ? 1 : 0))} %`
}

/** In a column with aligned decimals: `42.0 %`. @param {number} share 1 is all */
export function percentInColumn (share) {
  return `${(share * 100).toFixed(1)} %`
}

/** To three significant digits, for what lies close to 1: `99.8 %`. @param {number} share 1 is all */
export function exactPercent (share) {
  return `${Number((share * 100).toPrecision(3))} %`
}

/** @param {number} ms @returns {string} `0.47 ms`: two or three digits; less than a microsecond is shown as 0 */
export function milliseconds (ms) {
  return `${msDigits(ms)} ms`
}

/** The same without its unit, in a column that says it. @param {number} ms */
export function msDigits (ms) {
  return ms < 0.001 ? '0' : String(Number(ms.toPrecision(ms < 0.1 ? 2 : 3)))
}

/**
 * @param {{ minutes: number | null, minutesLeft: number | null, until: string }} clock null: not told
 * @returns {string} `25 of 40 min left`, or `until 11:05`
 */
export function timeLeft ({ minutes, minutesLeft, until }) {
  return minutes === null || minutesLeft === null
    ? `until ${clockTime(until)}`
    : `${minutesLeft} of ${minutes} min left`
}

/** @param {string} iso ISO 8601 @returns {string} `11:05`, by the clock of this machine */
export function clockTime (iso) {
  const at = new Date(iso)
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
