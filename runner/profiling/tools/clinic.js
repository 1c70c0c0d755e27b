import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { makeTemporary } from '../../process/index.js'
import { clinicSections, findingIn, unseenBy } from '../clinic/clinic-messages.js'
import { clinicCommand, dataFolder, othersFolder } from '../clinic/command.js'
import { findClinic, withoutClinic } from '../clinic/find.js'
import { clinicProblem, supportsNoCluster } from '../clinic/problem.js'
import { endServer } from '../end-server.js'
import { underLoad } from '../under-load.js'

/**
 * @import { Hub } from '../../inside/index.js'
 * @import { StartOptions } from '../../process/index.js'
 * @import { Target, UnderLoad } from '../under-load.js'
 * @import { ToolGiven, ToolResult } from './tool.js'
 */

const readyTimeoutMs = 30_000
const renderTimeoutMs = 90_000
const sliceMs = 200
/**
 * Node.js begins a second file of trace events after 524,288 of them, some 90 MB, and clinic fails to join two
 * (“premature close”). The file lags behind by about 20 MB.
 */
const mostTraceBytes = 25 * 1024 * 1024

/**
 * One of clinic's tools. It renders its page when the server ends by itself, not by a signal.
 *
 * @param {string} name `doctor`, `flame`, `bubbleprof`, `heapprofiler`
 * @returns {{ run: (given: ToolGiven) => Promise<ToolResult> }}
 */
export function clinicTool (name) {
  return {
    async run ({ target, seconds, files, say }) {
      const bin = findClinic(name)
      const { dir: scratch, remove } = await makeTemporary()
      try {
        fs.mkdirSync(dataFolder(scratch))
        fs.mkdirSync(othersFolder(scratch))
        say(`Starting the server through clinic ${name} …`)
        const { page, unseen, problems } = await collect({ name, bin, scratch, target, seconds, say })
        const report = files.name('.html')
        // Not renamed: the temporary folder may be on another disk.
        fs.copyFileSync(page, report)
        const finding = name === 'doctor' ? findingIn(fs.readFileSync(report, 'utf8')) : null
        return { sections: clinicSections(name, { finding, unseen, problems }), report, kept: [] }
      } finally {
        await remove()
      }
    }
  }
}

/**
 * @param {{ name: string, bin: string, scratch: string, target: Target, seconds: number, say: (text: string) => void }}
 *   given
 * @returns {Promise<{ page: string, unseen: string | null, problems: string[] }>}
 */
async function collect ({ name, bin, scratch, target, seconds, say }) {
  /** @param {Hub} hub @returns {StartOptions} */
  const start = ({ env: { NODE_OPTIONS: recorder, ...env } }) => ({
    // As an argument, for the server alone: clinic's own process would read it from the environment, too.
    nodeArgs: [recorder],
    readyTimeoutMs,
    env,
    through: (server) =>
      clinicCommand({ ...server, name, bin, scratch, execPath: process.execPath, searchPath: process.env.PATH ?? '' })
  })
  try {
    return await underLoad({ ...target, start, recorded: false }, async ({ server, hub, load }) => {
      const first = hub.members().find(({ main }) => main)
      if (first === undefined) {
        throw new WorkshopError(
          `The server cannot be told to end by itself, as clinic ${name} needs it: does it drop node’s flags? ` +
            `\`--tool ${withoutClinic[name]}\` shows much the same without it.`
        )
      }
      say(`Loading it for ${seconds} s …`)
      const { problems, answers, cut } = name === 'bubbleprof'
        ? await loadUntil({ load, seconds, isEnough: () => traceBytes(scratch) > mostTraceBytes })
        : { ...await load(seconds * 1000), cut: false }
      if (cut) say(`${answers} answers are as many as clinic ${name} can take in.`)
      const members = hub.members()
      const threads = [...members, ...hub.unrecorded()]
      if (first.isGone()) {
        throw new WorkshopError(
          'The server ended while it was under load. `npm run serve` starts it for a look by hand.'
        )
      }
      say('The server ends, and clinic makes its page of it: this takes a while …')
      const ended = await endServer({ server, hub, signal: target.signal, timeoutMs: renderTimeoutMs })
      if (!ended) {
        throw new WorkshopError(
          `clinic ${name} had no page ${renderTimeoutMs / 1000} s after the load, and was stopped. Record for a ` +
            `shorter time, or use \`--tool ${withoutClinic[name]}\`.`
        )
      }
      const page = fs.readdirSync(dataFolder(scratch)).find((file) => file.endsWith('.html'))
      if (page === undefined) throw new WorkshopError(clinicProblem(name, server.output()))
      return { page: path.join(dataFolder(scratch), page), unseen: unseenBy(threads, first.pid), problems }
    })
  } catch (error) {
    if (error instanceof WorkshopError && supportsNoCluster(error.message)) {
      throw new WorkshopError(clinicProblem(name, error.message), { cause: error })
    }
    throw error
  }
}

/**
 * @param {Pick<UnderLoad, 'load'> & { seconds: number, isEnough: () => boolean }} given
 * @returns {Promise<{ answers: number, problems: string[], cut: boolean }>} cut: it was enough before the time was up
 */
async function loadUntil ({ load, seconds, isEnough }) {
  const endsAt = performance.now() + seconds * 1000
  /** @type {string[]} */
  const problems = []
  let answers = 0
  let cut = false
  while (!cut && performance.now() < endsAt) {
    const seen = await load(sliceMs)
    answers += seen.answers
    problems.push(...seen.problems)
    cut = isEnough()
  }
  return { answers, problems, cut }
}

/** @param {string} scratch @returns {number} bytes of trace events so far */
function traceBytes (scratch) {
  return fs
    .readdirSync(scratch)
    .filter((file) => file.startsWith('node_trace.'))
    .reduce((sum, file) => sum + fs.statSync(path.join(scratch, file)).size, 0)
}
