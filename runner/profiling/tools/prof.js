import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { makeTemporary } from '../../process/index.js'
import { profLogs } from '../prof/logs.js'
import { parseProf } from '../prof/parse.js'
import { hasNm, processLog } from '../prof/process-log.js'
import { profSections } from '../prof/prof-sections.js'
import { endServer, underLoad } from '../under-load.js'

/**
 * @import { ProfText } from '../prof/parse.js'
 * @import { ToolGiven, ToolResult } from '../report-files.js'
 * @import { Target } from '../under-load.js'
 */

const endTimeoutMs = 20_000
const threadsApart = new URL('../prof/threads-apart.js', import.meta.url).href

/**
 * V8's own profiler, as `node --prof` starts it, and its text as `node --prof-process` makes it.
 *
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, seconds, files, say }) {
  const { dir: folder, remove } = await makeTemporary()
  try {
    say(`Recording with node --prof for ${seconds} s …`)
    const recorded = await record({ folder, target, seconds })
    const [first, ...others] = await profLogs(folder, recorded.pid)
    if (first === undefined) {
      throw new WorkshopError(
        'V8 wrote no log: does the server end, or start another program in its place? `--tool cpu` records without one.'
      )
    }
    say('node --prof-process reads V8’s log …')
    const text = await processLog(first.file, target.signal)
    const parsed = parseProf(text)
    if (parsed === null) {
      throw new WorkshopError(
        '`node --prof-process` found nothing in V8’s log: did the server end before it was loaded? Record for longer ' +
          'with --seconds.'
      )
    }
    const report = await files.write('.txt', text)
    const notes = await notesOn(parsed, recorded.ended)
    return {
      sections: profSections(parsed, {
        dir: recorded.dir,
        idle: first.idle,
        whose: first.whose,
        others,
        notes,
        problems: recorded.problems
      }),
      report,
      kept: []
    }
  } finally {
    await remove()
  }
}

/**
 * @param {{ folder: string, target: Target, seconds: number }} given
 * @returns {Promise<{ pid: number, dir: string, ended: boolean, problems: string[] }>}
 */
function record ({ folder, target, seconds }) {
  // V8 reads % as the start of a placeholder.
  const log = path.join(folder.replaceAll('%', '%%'), 'main.log')
  return underLoad(
    { ...target, withoutProbe: true, start: { nodeArgs: ['--prof', `--logfile=${log}`, `--import=${threadsApart}`] } },
    async ({ server, hub, load }) => {
      const { problems } = await load(seconds * 1000)
      const ended = await endServer({ server, hub, signal: target.signal, timeoutMs: endTimeoutMs })
      return { pid: server.pid, dir: server.dir, ended, problems }
    }
  )
}

/** @param {ProfText} parsed @param {boolean} ended @returns {Promise<string[]>} */
async function notesOn ({ cpp, ticks }, ended) {
  const notes = []
  if (!ended) {
    notes.push(
      'The server didn’t exit when it was told to, and was killed: the last part of V8’s log may be missing.'
    )
  }
  if (cpp.length === 0 && ticks > 0 && !(await hasNm())) {
    notes.push(
      'No C++ function has a name here: --prof-process asks the program nm for them, and it is missing (Debian and ' +
        'Ubuntu: apt-get install binutils).'
    )
  }
  return notes
}
