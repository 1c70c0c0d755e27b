import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker, followRedis, gradeHere } from '../../classroom/queue/index.js'
import { openRoom } from '../../classroom/room/index.js'
import { openStore } from '../../classroom/room/store.js'
import { gradedAs } from './grading.js'

/**
 * A room or a worker in a process of its own, which can be killed. It measures nothing: a grading takes some ms. The
 * room notes each result that it takes in a file.
 */

const { ROLE: role = '', DIR: dir = '', REDIS: redisUrl = '', GRADES: grades } = process.env
const { signal } = new AbortController()
process.on('disconnect', () => process.exit())

const worker = createWorker({
  about: { worker: `${role}-${process.pid}`, machine: '', fitness: '' },
  grade: async ({ lesson }) => {
    await sleep(5 + process.pid % 20)
    return gradedAs(lesson)
  },
  signal
})

if (role === 'room') {
  const { learners: [address], code, instructor, work } = await openRoom({
    dir,
    env: process.env,
    redisUrl: redisUrl || undefined,
    redisTimes: { tickMs: 500, cutMs: 3000 },
    tickMs: 300,
    admissionLimits: { most: 1000, perSecond: 1000, perAddress: 1000 },
    open: async (file) => {
      const store = await openStore(file, { leaseMs: 4000 })
      const { finish } = store.submissions
      store.submissions.finish = (held) => {
        const row = finish(held)
        if (row !== null) fs.appendFileSync(path.join(dir, 'accepted'), `${row.id}\n`)
        return row
      }
      return store
    }
  })
  process.send?.({ url: new URL('/', address).href, code, secret: instructor.split('#')[1] })
  if (grades) {
    await gradeHere({ work, worker, signal, tell: () => {}, times: { renewMs: 500, pauseMs: 20, againMs: 100 } })
  }
} else {
  await followRedis({ url: redisUrl, worker, signal, onFault: () => {}, times: { lockMs: 2000, stalledMs: 500 } })
}
