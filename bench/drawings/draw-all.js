import fs from 'node:fs'
import { svgFile } from './svg.js'

/**
 * @typedef {object} Drawing what a file `NN-name.js` next to this one exports
 * @property {string} lesson its folder
 * @property {string} file
 * @property {string} title
 * @property {string} alt for who cannot see it: also the alternative text in Markdown
 * @property {number} height
 * @property {string[]} pieces
 */

/**
 * Every drawing of the lessons, the same each time.
 *
 * @returns {Promise<{ place: string, markdown: string, svg: string }[]>} place: relative to the workshop, with slashes;
 *   markdown: the line that shows it in the lesson's text
 */
export async function drawAll () {
  const here = new URL('.', import.meta.url)
  const names = fs.readdirSync(here).filter((name) => /^\d\d-.*\.js$/.test(name)).sort()
  return Promise.all(names.map(async (name) => {
    /** @type {Drawing} */
    const drawing = (await import(new URL(name, here).href)).default
    const { lesson, file, alt } = drawing
    return {
      place: `lessons/${lesson}/pictures/${file}`,
      markdown: `![${alt}](pictures/${file})`,
      svg: svgFile(drawing)
    }
  }))
}
