import fs from 'node:fs'
import path from 'node:path'
import { workshopRoot } from '../runner/shared/workshop.js'
import { drawAll } from './drawings/draw-all.js'

/** Makes the drawings of the lessons' texts again: `npm run measure drawings`. It measures nothing. */
for (const { place, svg } of await drawAll()) {
  const file = path.join(workshopRoot, place)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, svg)
  process.stdout.write(`${place}: ${(svg.length / 1000).toFixed(1)} kB\n`)
}
