const DIRECTIONS = 180
const east = Float64Array.from({ length: DIRECTIONS }, (_, i) => Math.sin(i * 2 * Math.PI / DIRECTIONS))
const south = Float64Array.from({ length: DIRECTIONS }, (_, i) => -Math.cos(i * 2 * Math.PI / DIRECTIONS))
let heights
let size
let cell

/** The same walk, metre by metre, with less around it: sines are looked up, and heights are in a typed array. */
export function panorama (terrain, x, y) {
  if (!heights) {
    ({ size, cell } = terrain)
    heights = Float64Array.from(terrain.heights)
  }
  const height = heightAt(x, y)
  const skyline = new Array(DIRECTIONS)
  for (let i = 0; i < DIRECTIONS; i++) skyline[i] = horizon(x, y, height + 2, i)
  return { x, y, height: Math.round(height), skyline }
}

function horizon (x, y, eye, i) {
  const end = (size - 1) * cell
  let steepest = -Infinity
  for (let distance = 1; ; distance++) {
    const px = x + east[i] * distance
    const py = y + south[i] * distance
    if (px < 0 || py < 0 || px >= end || py >= end) break
    const slope = (heightAt(px, py) - eye) / distance
    if (slope > steepest) steepest = slope
  }
  return Math.round(Math.atan(steepest) * 1800 / Math.PI)
}

function heightAt (x, y) {
  const acrossCells = x / cell
  const downCells = y / cell
  const column = acrossCells | 0
  const row = downCells | 0
  const right = acrossCells - column
  const at = row * size + column
  const north = heights[at] + (heights[at + 1] - heights[at]) * right
  const southern = heights[at + size] + (heights[at + size + 1] - heights[at + size]) * right
  return north + (southern - north) * (downCells - row)
}
