import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/**
 * A fixed number of threads and one queue. Each thread has one task at a time, so its next answer belongs to that task.
 *
 * @param {URL} file what each thread runs: it answers `{ task }` with `{ result }` or `{ error }`, and `{ news }` not
 *   at all
 * @param {{ size?: number, startWith: () => any }} options startWith: called for every thread that is started, its
 *   `workerData`
 * @returns {{ run: (task: any) => Promise<any>, tell: (news: any) => void }}
 *   run: rejects when the task throws or its thread is lost; tell: reaches every thread ahead of any later task
 */
export function createPool (file, { size = availableParallelism(), startWith }) {
  const members = new Set()
  const waiting = []

  function start () {
    const member = { worker: new Worker(file, { workerData: startWith() }), job: null, failure: null }
    members.add(member)
    member.worker.on('message', ({ result, error }) => {
      const { job } = member
      member.job = null
      if (error) job.reject(error)
      else job.resolve(result)
      dispatch()
    })
    member.worker.on('error', (error) => { member.failure = error })
    // However a thread died, it ends here, and nothing else will settle its task.
    member.worker.on('exit', (code) => {
      members.delete(member)
      member.job?.reject(member.failure ?? new Error(`A worker ended with the code ${code}`))
      dispatch()
    })
    return member
  }

  function dispatch () {
    while (waiting.length > 0) {
      // A lost thread is replaced when it's needed, so one that dies at once can't cause an endless loop.
      const member = [...members].find(({ job }) => job === null) ?? (members.size < size ? start() : undefined)
      if (!member) return
      member.job = waiting.shift()
      member.worker.postMessage({ task: member.job.task })
    }
  }

  for (let i = 0; i < size; i++) start()
  return {
    run: (task) => new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject })
      dispatch()
    }),
    tell: (news) => {
      for (const { worker } of members) worker.postMessage({ news })
    }
  }
}
