/** What a browser keeps for the next visit, if it keeps anything. */

/** @param {string} name @returns {string | null} */
export function recall (name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** @param {string} name @param {string} value */
export function remember (name, value) {
  try {
    localStorage.setItem(name, value)
  } catch {}
}
