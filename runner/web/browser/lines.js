/**
 * What a line of the learner's files is called in the profile page: `L12` in the lesson's own file, `L3-metrics.js` in
 * another one. For `id`; an address needs `encodeURIComponent`.
 *
 * @param {{ file: string, line: number }} place
 * @param {string} main the lesson's own file
 */
export function lineId ({ file, line }, main) {
  return file === main ? `L${line}` : `L${line}-${file}`
}

/**
 * The line that the report in the frame speaks of: a frame of the learner's server was clicked. Anything may come.
 *
 * @param {any} message as it came
 * @returns {{ file: string, line: number } | null} null: it is none of ours
 */
export function placeIn (message) {
  if (message?.type !== 'frame' || message.other !== false || typeof message.place !== 'string') return null
  const [, file, line] = /^(.{1,500}):(\d{1,7})$/.exec(message.place) ?? []
  return file === undefined ? null : { file, line: Number(line) }
}
