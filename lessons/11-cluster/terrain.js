/**
 * A mountain map, made from a run's seed, and what can be seen from a place on it.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Terrain
 * @property {number} size points a side
 * @property {number} cell metres between two points
 * @property {number[]} heights metres, row by row from the north-west
 *
 * @typedef {{ x: number, y: number }} Place metres from the north-west
 */

const [mapSize, cellSize, margin, eyeHeight] = [128, 50, 100, 2]
/** So many places are looked at, in long strides and every so many-th direction: near enough to find the best. */
const [candidates, every] = [300, 4]

/** How many directions a panorama has. */
export const directions = 180

/** Places can be as far from the corner as this, in metres. */
export const range = { low: margin, high: (mapSize - 1) * cellSize - margin }

/** Hills of several widths on top of one another. @param {Random} random @returns {Terrain} */
export function makeTerrain (random) {
  const waves = Array.from({ length: 14 }, (_, i) => ({
    height: 420 / (1 + i),
    east: (random.next() - 0.5) * 0.08 * (1 + i),
    south: (random.next() - 0.5) * 0.08 * (1 + i),
    phase: random.next() * 2 * Math.PI
  }))
  const heights = Array.from({ length: mapSize * mapSize }, (_, at) => {
    const [column, row] = [at % mapSize, Math.floor(at / mapSize)]
    const hills = waves.reduce((sum, { height, east, south, phase }) =>
      sum + height * Math.sin(column * east + row * south + phase), 1500)
    return Math.round(hills + random.next() * 12)
  })
  return { size: mapSize, cell: cellSize, heights }
}

/** Anywhere, and now and then on a point of the grid, or as far out as can be. @param {Random} random */
export function anyPlace (random) {
  const anyMetres = () => random.int(1, 8) > 1
    ? random.int(range.low, range.high)
    : random.pick([range.low, range.high, cellSize * random.int(range.low / cellSize, range.high / cellSize)])
  return { x: anyMetres(), y: anyMetres() }
}

/**
 * Places with a peak on their horizon that is far above them: a line of sight that ends too early misses it.
 *
 * @param {Random} random @param {Terrain} terrain
 */
export function placesBelowPeaks (random, terrain) {
  const seen = Array.from({ length: candidates }, () => {
    const place = anyPlace(random)
    const rises = Array.from({ length: directions / every }, (_, i) => {
      const { steepest, distance } = horizonOf(terrain, place, i * every, cellSize)
      return steepest * distance
    })
    return { place, rise: Math.max(...rises) }
  })
  return seen.sort((a, b) => b.rise - a.rise).slice(0, 2).map(({ place }) => place)
}

/** @param {{ x: number | string, y: number | string }} place */
export function pathOf ({ x, y }) {
  return `/panorama/${x}/${y}`
}

/** The height of the ground, in whole metres. @param {Terrain} terrain @param {Place} place */
export function expectedHeight (terrain, { x, y }) {
  return Math.round(heightAt(terrain, x, y))
}

/**
 * One ray of a panorama, in tenths of a degree: one part in 180 of the work, so that every answer under load can be
 * looked at in a few directions that the server cannot foresee.
 *
 * @param {Terrain} terrain @param {Place} place @param {number} direction from 0 (north), clockwise
 */
export function expectedRay (terrain, place, direction) {
  return Math.round(Math.atan(horizonOf(terrain, place, direction).steepest) * 1800 / Math.PI)
}

/**
 * The steepest line of sight to the ground, and how far it goes.
 *
 * @param {Terrain} terrain @param {Place} place @param {number} direction @param {number} [stride] metres
 */
function horizonOf (terrain, { x, y }, direction, stride = 1) {
  const end = (terrain.size - 1) * terrain.cell
  const eye = heightAt(terrain, x, y) + eyeHeight
  const angle = (direction * 2 * Math.PI) / directions
  const [east, south] = [Math.sin(angle), -Math.cos(angle)]
  const horizon = { steepest: -Infinity, distance: 0 }
  for (let distance = stride; ; distance += stride) {
    const [px, py] = [x + east * distance, y + south * distance]
    if (px < 0 || py < 0 || px >= end || py >= end) return horizon
    const slope = (heightAt(terrain, px, py) - eye) / distance
    if (slope > horizon.steepest) [horizon.steepest, horizon.distance] = [slope, distance]
  }
}

/** @param {Terrain} terrain @param {number} x @param {number} y */
function heightAt ({ size, cell, heights }, x, y) {
  const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
  const [right, down] = [x / cell - column, y / cell - row]
  const at = row * size + column
  const north = heights[at] + (heights[at + 1] - heights[at]) * right
  const south = heights[at + size] + (heights[at + size + 1] - heights[at + size]) * right
  return north + (south - north) * down
}
