/**
 * What a record or a run is about: a comparison has its own title, and no number.
 *
 * @param {{ number: number, title: string }} lesson
 * @param {string} [dot]
 * @returns {string} `Lesson 3 · In-memory JSON`
 */
export function titleOf ({ number, title }, dot = '·') {
  return number === 0 ? title : `Lesson ${number} ${dot} ${title}`
}
