import path from 'node:path'
import { capabilitiesOf, createTheme } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { chartsOf } from '../trace/charts.js'
import { diagnose } from '../trace/diagnose.js'
import { tracePage } from '../trace/trace-page.js'
import { recordTrace } from '../trace/record-trace.js'
import { figureSections, overTimeSection, readingSections } from '../trace/trace-sections.js'
import { summarise } from '../trace/summarise.js'

/**
 * @import { Target } from '../under-load.js'
 * @import { ToolGiven, ToolResult } from './tool.js'
 */

/**
 * @param {ToolGiven} given
 * @returns {Promise<ToolResult>}
 */
export async function run ({ target, which, title, seconds, files, say }) {
  say(`Recording ${which} over time: half a second of rest, ${seconds} s of load, half a second of rest …`)
  const { recording, seen, spareCores, missing } = await recordTrace(target, { seconds })
  const { connections, arrivals } = target.entry.lesson.loads[target.loadName]
  const summary = summarise(recording, {
    answers: seen.answers,
    seconds: seen.seconds,
    connections: arrivals === undefined ? connections : null,
    spareCores
  })
  const findings = diagnose(summary, { command: commandFor(target) })
  const reading = readingSections({ findings, missing, problems: seen.problems })
  const report = await files.write(
    '.html',
    tracePage({
      title,
      reading,
      figures: figureSections(summary, { mostShown: Infinity }),
      charts: chartsOf(recording, summary)
    })
  )
  const raw = await files.write(
    '.json',
    JSON.stringify({ title, load: target.loadName, node: process.version, findings, summary, recording })
  )
  const { marks } = createTheme({ unicode: capabilitiesOf(process.stdout).unicode })
  return {
    sections: [...reading, overTimeSection(recording, summary, marks.spark), ...figureSections(summary)],
    report,
    kept: [raw]
  }
}

/**
 * The command that profiles the same server.
 *
 * @param {Target} target
 */
function commandFor ({ dir, entry }) {
  const command = `npm run profile lesson-${entry.number}`
  const same = (/** @type {string} */ other) => path.resolve(dir) === path.resolve(other)
  if (same(entry.workspaceDir)) return command
  if (same(entry.slowDir)) return `${command} slow`
  return same(entry.solutionDir) ? `${command} solution` : `${command} -- --server ${shownPath(dir)}`
}
