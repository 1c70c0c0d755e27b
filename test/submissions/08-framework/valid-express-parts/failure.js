/** An error with a status and one of the codes that messages.json has texts for. */
export function failure (status, code, fields) {
  return Object.assign(new Error(code), { status, code, fields })
}
