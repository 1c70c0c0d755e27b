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

/** The address of one report. @param {{ server?: string, tool?: string }} report */
export function queryOf ({ server, tool = 'cpu' }) {
  return `?${server === 'slow' ? 'server=slow&' : ''}tool=${encodeURIComponent(tool)}`
}

/**
 * The line of the learner's server that was clicked in the report's frame. The message may be anything.
 *
 * @param {any} message as it came
 * @returns {{ file: string, line: number } | null} null: not one of ours
 */
export function placeIn (message) {
  if (message?.type !== 'frame' || message.other !== false || typeof message.place !== 'string') return null
  const [, file, line] = /^(.{1,500}):(\d{1,7})$/.exec(message.place) ?? []
  return file === undefined ? null : { file, line: Number(line) }
}
