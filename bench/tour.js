import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { skipWithoutTerminal } from '../test/terminal/available.js'
import { record } from './tour/record.js'
import { columns, rows, steps } from './tour/scenario.js'
import { shorten } from './tour/shorten.js'
import { filmSvg } from './tour/svg.js'

/** Makes docs/tour.svg again: a real session of what `tour/scenario.js` says, recorded on this machine. */

const file = fileURLToPath(new URL('../docs/tour.svg', import.meta.url))
const longestMs = 2000

if (process.argv.length > 2) {
  console.error('npm run tour takes no arguments: it records docs/tour.svg again, which takes some minutes.')
  process.exit(3)
}
const missing = skipWithoutTerminal()
if (missing) {
  console.error(missing)
  process.exit(3)
}
const recording = await record(steps, { columns, rows })
const film = shorten(recording, longestMs)
const seconds = (/** @type {number} */ ms) => `${Math.round(ms / 1000)} s`
const honest = `Waits over ${seconds(longestMs)} are cut to ${seconds(longestMs)}.`
const commands = steps.flatMap(({ type }) => type ?? []).join(', then ')
const svg = filmSvg(film, {
  columns,
  rows,
  title: 'Make It Fast in a terminal',
  description: `A recording of a terminal in which a learner types ${commands}, and reads what comes. ${honest}`,
  caption: `A real session of ${seconds(recording.endMs)}, ${new Date().toISOString().slice(0, 10)}, ` +
    `Node.js ${process.versions.node}. ${honest}`
})
fs.writeFileSync(file, svg)
console.log(`${path.relative(process.cwd(), file)}: ${film.frames.length} frames, ${seconds(film.endMs)}, ` +
  `${Math.round(Buffer.byteLength(svg) / 1000)} kB`)
