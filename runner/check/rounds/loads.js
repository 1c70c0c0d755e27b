/** @import { Lesson } from '../../lesson/index.js' */

/** The names of the loads that some gate looks at, in the order of the gates. @param {Lesson} lesson */
export function loadsOf ({ gates }) {
  return [...new Set(gates.map(({ load }) => load))]
}
