import fs from 'node:fs/promises'
import path from 'node:path'
import { imageSizeFromFile } from 'image-size/fromFile'

/**
 * The pictures that a lesson's text may show: PNG and SVG files in its folder.
 *
 * @import { Sizes } from './pages/markdown.js'
 */

const pictures = /\.(png|svg)$/i

/**
 * @param {string} dir
 * @returns {Promise<Sizes>} without those that cannot be read
 */
export async function readPictureSizes (dir) {
  const names = (await fs.readdir(dir, { recursive: true })).filter((name) => pictures.test(name))
  const sizes = await Promise.all(names.map(async (name) => {
    const { width, height } = await imageSizeFromFile(path.join(dir, name)).catch(() => ({ width: 0, height: 0 }))
    return width > 0 && height > 0 ? [[name.split(path.sep).join('/'), { width, height }]] : []
  }))
  return Object.fromEntries(sizes.flat())
}

/**
 * @param {string} dir
 * @param {string[]} parts of the path, as a browser sent them
 * @returns {Promise<string | null>} its real path, if that lies in `dir`
 */
export async function pictureIn (dir, parts) {
  if (parts.some((part) => /^\.|[\\/\0]/.test(part)) || !pictures.test(parts.at(-1) ?? '')) return null
  try {
    const [home, file] = await Promise.all([fs.realpath(dir), fs.realpath(path.join(dir, ...parts))])
    return file.startsWith(home + path.sep) && pictures.test(file) ? file : null
  } catch {
    return null
  }
}
