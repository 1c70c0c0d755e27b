import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { concludeFitness, examineUnderLoad } from '../../runner/check/index.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { describeMachine, inTurn, makeTemporary } from '../../runner/process/index.js'
import { createWorker } from '../queue/index.js'
import { aboutSandbox, probeSandbox, refuseRoot, regrade } from '../regrade/index.js'
import { hasState } from '../../runner/cli/index.js'
import { judgeRehearsal } from './margin.js'

/**
 * A worker that grades on this machine, in its sandbox. Before the first job it measures the machine itself, and before
 * the first one of a lesson that lesson's reference solution.
 *
 * @import { Job, Worker } from '../queue/index.js'
 *
 * @typedef {object} Given
 * @property {string} [name] of the worker
 * @property {boolean} [isSandboxOptional] go without one if there is none
 * @property {NodeJS.ProcessEnv} env
 * @property {AbortSignal} signal
 * @property {(sentence: string) => void} tell
 * @property {typeof examineUnderLoad} [examine] this machine
 * @property {typeof regrade} [measure] one submission
 *
 * @param {Given} given
 * @returns {Promise<Worker>}
 * @throws {WorkshopError} we are root, or this machine has no sandbox, or can't measure
 */
export async function prepareWorker ({
  name, isSandboxOptional = false, env, signal, tell, examine = examineUnderLoad, measure = regrade
}) {
  refuseRoot(env)
  const sandbox = await probeSandbox({ isOptional: isSandboxOptional })
  const entries = await findLessons({ env })
  const turn = { about: 'a worker’s look at its machine', tell, signal }
  const findings = await inTurn(turn, () => examine({ tell, signal }))
  const fitness = [concludeFitness(findings), ...findings.map(({ what }) => what)].join(' ')
  if (hasState(findings, 'bad')) throw new WorkshopError(fitness)
  const { cpu, cores, node } = describeMachine()
  for (const sentence of aboutSandbox(sandbox)) tell(sentence)

  const check = async (/** @type {string} */ id, /** @type {string} */ dir, /** @type {AbortSignal} */ whole) => {
    const found = entries.find((entry) => entry.id === id)
    if (found === undefined) throw new WorkshopError(`This worker’s workshop has no lesson ${id}.`)
    const lesson = await loadLesson(found)
    await fs.access(path.join(dir, lesson.file)).catch(() => { throw new WorkshopError(`It has no ${lesson.file}.`) })
    return measure({ lesson, dir, sandbox, signal: whole })
  }
  return createWorker({
    about: {
      worker: name ?? `${os.hostname()}-${process.pid}`,
      machine: `${cpu}, ${cores} cores, Node.js ${node}`,
      fitness
    },
    fits: async (id, whole) => {
      const dir = entries.find((entry) => entry.id === id)?.solutionDir
      if (dir === undefined) return 'This worker’s workshop doesn’t have it.'
      const { record } = await check(id, dir, whole)
      const { lack } = judgeRehearsal([record])
      return lack === null ? null : `its reference solution lacks margin on this machine (${record.verdict}).`
    },
    grade: async ({ lesson, files }, whole) => {
      const folder = await makeTemporary()
      try {
        const dir = path.join(folder.dir, 'submission')
        await writeFiles(dir, files)
        const { record, verified } = await check(lesson, dir, whole)
        const { kind, enforced, missing } = sandbox
        const bounds = missing.length === 0 ? enforced.join('; ') : `without: ${missing.join('; ')}`
        return { record, isVerified: verified, sandbox: `${kind}, ${bounds}`, fitness: concludeFitness(findings) }
      } finally {
        await folder.remove()
      }
    },
    signal,
    tell
  })
}

/** The worker has checked their names. @param {string} dir @param {Job['files']} files */
async function writeFiles (dir, files) {
  for (const { path: name, text } of files) {
    const file = path.join(dir, ...name.split('/'))
    await fs.mkdir(path.dirname(file), { recursive: true })
    await fs.writeFile(file, text, { flag: 'wx' })
  }
}
