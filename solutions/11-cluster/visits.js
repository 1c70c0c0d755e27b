/** Requests to the primary that it hasn't answered yet, by id. */
const waiting = new Map()
let lastId = 0

process.on('message', ({ id, visits }) => {
  waiting.get(id)?.(visits)
  waiting.delete(id)
})

/** Counts one visit. Resolves to its number, which no other visit has. */
export const countVisit = () => askPrimary(1)

/** Resolves to the number of visits so far. */
export const readVisits = () => askPrimary(0)

function askPrimary (add) {
  return new Promise((resolve) => {
    const id = ++lastId
    waiting.set(id, resolve)
    process.send({ id, add })
  })
}
