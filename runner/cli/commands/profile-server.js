import { WorkshopError } from '../../shared/errors.js'
import { inTurn, openFile } from '../../process/index.js'
import { runProfile, tools } from '../../profiling/index.js'
import { sectionsText } from '../../report/index.js'
import { shownPath } from '../../shared/text.js'
import { flag, say, text } from '../say.js'
import { findServer } from './lesson-servers.js'

/** @import { Command } from '../say.js' */

/** @type {Command} */
export const profile = {
  options: {
    tool: { ...text, default: 'cpu' },
    server: text,
    load: text,
    seconds: { ...text, default: '3' },
    compare: flag,
    all: flag,
    open: flag,
    seed: text
  },
  usage: 'npm run profile lesson-N [slow|mine|solution] [-- --tool NAME] [--compare] [--open] [--seconds 3]',
  help: `See why a server is slow: start it, load it with the lesson's own requests, and record.

  slow | mine | solution   which server, default mine
  --server DIR             or any other folder with a server.js
  --tool NAME              what to record with, default cpu:
${Object.entries(tools)
  .map(([name, { about }]) => `    ${name.padEnd(14)}${about}`)
  .join('\n')}
  --compare                next to the slow server, function by function (cpu)
  --all                    every table, even for a server that's mostly idle (cpu)
  --open                   open the report
  --seconds N              how long to record, default 3
  --load NAME              which of the lesson's loads, default the one in which its fault shows

Reports go to workspace/profiles/.`,

  async run ({ values, positionals, stdout, env, signal, onWait, onGist }) {
    const { entry, dir, which } = await findServer(positionals, { env, usage: profile.usage, server: values.server })
    const seconds = Number(values.seconds)
    if (!(seconds >= 0.5 && seconds <= 60)) {
      throw new WorkshopError(`--seconds takes a number from 0.5 to 60, got ${values.seconds}.`)
    }
    const tell = (/** @type {string} */ sentence) => say(stdout, sentence)
    /** @type {Parameters<typeof inTurn>[0]} */
    const turn = { about: { kind: 'profile', entry, dir }, tell: onWait ?? tell, signal }
    const { sections, report, kept } = await inTurn(turn, () => runProfile({
      tool: values.tool,
      entry,
      dir,
      which,
      stem: values.server === undefined ? positionals[1] : 'server',
      loadName: values.load,
      compare: values.compare,
      all: values.all,
      seconds,
      seed: values.seed,
      signal,
      say: tell
    }))
    signal.throwIfAborted()
    stdout.write(`\n${sectionsText(sections, { stream: stdout })}\n\n`)
    onGist?.((sections.find(({ title }) => title === 'Reading') ?? sections[0])?.text ?? [])
    if (report !== null) stdout.write(`Report: ${shownPath(report)}\n`)
    for (const file of kept) stdout.write(`Also:   ${shownPath(file)}\n`)
    if (values.open && report !== null && !(await openFile(report))) {
      say(stdout, 'It couldn’t be opened from here: open it in a browser.')
    }
    return 0
  }
}
