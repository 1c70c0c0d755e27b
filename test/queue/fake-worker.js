import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker, deskAt, followRedis } from '../../runner/queue/index.js'
import { gradedAs } from './grading.js'

/** A worker in a separate process, which can be killed: it gets its jobs through Redis and grades nothing. */

const { ROOM: url = '', SECRET: secret = '', REDIS: redis = '' } = process.env
const controller = new AbortController()
process.on('disconnect', () => process.exit())

const worker = createWorker({
  desk: deskAt({ url, secret }),
  about: { worker: `fake-${process.pid}`, machine: '', fitness: '' },
  grade: async ({ id, lesson }) => {
    process.send?.({ grading: id })
    await sleep(20)
    return gradedAs(lesson)
  },
  signal: controller.signal,
  times: { renewMs: 200, againMs: 100 }
})
await followRedis({ url: redis, secret, take: worker.takeOne, signal: controller.signal, onFault: () => {} })
