import { parentPort, Worker, workerData } from 'node:worker_threads'
import { WorkshopError } from '../../runner/shared/errors.js'
import { kindOf } from '../../runner/judge/index.js'
import { checkNamesOf, loadLesson } from '../../runner/lesson/index.js'

/**
 * The lessons, as a room keeps them. They're loaded in a thread that ends, so that their memory is free again.
 *
 * @import { LessonEntry } from '../../runner/lesson/index.js'
 * @import { RoomLesson } from './attempts.js'
 *
 * @param {readonly LessonEntry[]} entries
 * @returns {Promise<RoomLesson[]>}
 * @throws {WorkshopError} a lesson ends the process that loads it
 */
export function readLessons (entries) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: entries })
    const ended = () => reject(new WorkshopError('A lesson calls process.exit() while it loads: repair or remove it.'))
    thread.once('message', resolve).once('error', reject).once('exit', ended)
  })
}

// This file is the thread's, too.
if (parentPort !== null) parentPort.postMessage(await readLessonsHere(workerData))

/** Without a thread: what they load stays. @param {readonly LessonEntry[]} entries @returns {Promise<RoomLesson[]>} */
export async function readLessonsHere (entries) {
  return Promise.all(entries.map(lessonOf))
}

/** @param {LessonEntry} entry @returns {Promise<RoomLesson>} */
async function lessonOf (entry) {
  const { id, number } = entry
  // One that's broken on this machine may work on the learners'.
  const lesson = await loadLesson(entry).then((loaded) => loaded.lesson, () => null)
  const gates = lesson?.gates ?? []
  const leading = gates.find(({ kind }) => {
    const { direction, grades } = kindOf(kind)
    return direction === 'at least' && grades === 'server'
  })
  return {
    id,
    number,
    title: lesson?.title ?? id,
    tiers: Object.keys(gates.find((gate) => gate.tiers)?.tiers ?? {}),
    checks: lesson === null ? [] : checkNamesOf(lesson),
    gates: gates.map(({ name }) => name),
    leading: leading?.name ?? null
  }
}
