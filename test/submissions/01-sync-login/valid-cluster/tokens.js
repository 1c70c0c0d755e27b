const users = new Map()
const waiting = new Map()
let lastJob = 0

/** In the first process: a token is given to one of those who ask for it. */
export function keepTokens (worker) {
  worker.on('message', ({ job, token, id }) => {
    if (id !== undefined) users.set(token, id)
    else id = users.get(token)
    if (job.redeems) users.delete(token)
    worker.send({ job, id })
  })
}

/** In the others. @returns {Promise<string | undefined>} the id of the user whose token it is */
function ask (message, redeems) {
  const job = { number: ++lastJob, redeems }
  return new Promise((resolve) => {
    waiting.set(job.number, resolve)
    process.send({ job, ...message })
  })
}

export const keep = (token, id) => ask({ token, id }, false)
export const redeem = (token) => ask({ token }, true)

process.on('message', ({ job, id }) => {
  waiting.get(job.number)?.(id)
  waiting.delete(job.number)
})
