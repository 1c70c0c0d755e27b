/** Starts each call as soon as everything that it needs is there. The first failure fails the whole. */
export function runTable (table, known, call) {
  const parts = { ...known }
  const left = new Map(Object.entries(table))
  let underWay = 0
  return new Promise((resolve, reject) => {
    const startReady = () => {
      for (const [name, [service, needs, pathOf]] of left) {
        if (!needs.every((need) => need in parts)) continue
        left.delete(name)
        underWay++
        call(service, pathOf(...needs.map((need) => parts[need]))).then((value) => {
          underWay--
          parts[name] = value
          if (left.size === 0 && underWay === 0) resolve(parts)
          else startReady()
        }).catch(reject)
      }
    }
    startReady()
  })
}
