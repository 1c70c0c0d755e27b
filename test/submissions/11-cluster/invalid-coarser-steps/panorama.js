const DIRECTIONS = 180
const STEP = 4

/**
 * What a walker sees at (x, y), in metres from the map's north-west corner: the height of the horizon in every
 * direction, clockwise from north, in tenths of a degree.
 */
export function panorama (terrain, x, y) {
  const height = heightAt(terrain, x, y)
  const skyline = []
  for (let i = 0; i < DIRECTIONS; i++) {
    skyline.push(horizon(terrain, x, y, height + 2, i * 2 * Math.PI / DIRECTIONS))
  }
  return { x, y, height: Math.round(height), skyline }
}

// Walks away from the eye until the map ends, and keeps the steepest line of sight to the ground.
function horizon (terrain, x, y, eye, direction) {
  const end = (terrain.size - 1) * terrain.cell
  const east = Math.sin(direction)
  const south = -Math.cos(direction)
  let steepest = -Infinity
  for (let distance = STEP; ; distance += STEP) {
    const px = x + east * distance
    const py = y + south * distance
    if (px < 0 || py < 0 || px >= end || py >= end) break
    const slope = (heightAt(terrain, px, py) - eye) / distance
    if (slope > steepest) steepest = slope
  }
  return Math.round(Math.atan(steepest) * 1800 / Math.PI)
}

// Between the four points of the grid around it.
function heightAt ({ size, cell, heights }, x, y) {
  const column = Math.floor(x / cell)
  const row = Math.floor(y / cell)
  const right = x / cell - column
  const down = y / cell - row
  const at = row * size + column
  const north = heights[at] + (heights[at + 1] - heights[at]) * right
  const south = heights[at + size] + (heights[at + size + 1] - heights[at + size]) * right
  return north + (south - north) * down
}
