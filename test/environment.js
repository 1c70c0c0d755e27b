/**
 * Sets variables of our own environment for one test.
 *
 * @param {{ after: (act: () => void) => void }} t of node:test
 * @param {Record<string, string>} values
 */
export function setVariables (t, values) {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name]
    process.env[name] = value
    t.after(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
}
