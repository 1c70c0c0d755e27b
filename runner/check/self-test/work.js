/**
 * The work of the self-test's servers: a small record made into JSON and back, so many times. It allocates and lets
 * garbage be collected, as the servers of the lessons do; arithmetic alone would measure more evenly than any of them.
 *
 * @param {number} units
 * @returns {number} how many fields came back: a result, so that no compiler may leave the work out
 */
export function work (units) {
  let fields = 0
  for (let i = 0; i < units; i++) {
    const record = JSON.parse(
      JSON.stringify({
        id: i,
        title: `film number ${i}`,
        genres: ['comedy', 'drama'],
        director: { name: 'somebody', born: 1921 }
      })
    )
    fields += Object.keys(record).length
  }
  return fields
}
