/** Questions that the primary hasn't answered yet, by id. */
const waiting = new Map()
let lastId = 0

process.on('message', ({ id, result }) => {
  waiting.get(id)?.(result)
  waiting.delete(id)
})

/** Calls a function of the state that the primary holds. Resolves to its result. */
export function ask (call, ...args) {
  return new Promise((resolve) => {
    const id = ++lastId
    waiting.set(id, resolve)
    process.send({ id, call, args })
  })
}
