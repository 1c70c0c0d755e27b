import { addUp } from './read-profile.js'
import { keyOf } from './summarise.js'

/** @import { Frame } from './read-profile.js' */

/**
 * Several trees as one: the same function under the same callers becomes one frame, whatever thread or call it came
 * from. Pure.
 *
 * @param {readonly Frame[]} roots at least one
 * @param {(frame: Frame) => string} [sameAs] frames with the same word are one function
 * @returns {Frame} a new tree
 */
export function mergeTrees (roots, sameAs = keyOf) {
  const merged = merge(roots, sameAs)
  addUp(merged)
  return merged
}

/** @param {readonly Frame[]} frames of one function @param {(frame: Frame) => string} sameAs @returns {Frame} */
function merge (frames, sameAs) {
  /** @type {Map<string, Frame[]>} */
  const groups = new Map()
  for (const child of frames.flatMap(({ children }) => children)) {
    const key = sameAs(child)
    const group = groups.get(key)
    if (group) group.push(child)
    else groups.set(key, [child])
  }
  return {
    ...frames[0],
    selfMs: frames.reduce((sum, { selfMs }) => sum + selfMs, 0),
    lines: frames.flatMap(({ lines }) => lines),
    children: [...groups.values()].map((group) => merge(group, sameAs))
  }
}
