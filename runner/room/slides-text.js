import fs from 'node:fs/promises'
import path from 'node:path'
import { workshopRoot } from '../workshop.js'

/** The slides of the day, as Markdown. */
export function readSlides () {
  return fs.readFile(path.join(workshopRoot, 'docs', 'teaching', 'slides.md'), 'utf8')
}
