import path from 'node:path'
import { WorkshopError } from '../../shared/errors.js'
import { inTurn, openFile } from '../../process/index.js'
import { runProfile, tools } from '../../profiling/index.js'
import { sectionsMarkdown, sectionsText } from '../../report/index.js'
import { shownPath } from '../../shared/text.js'
import { writeFileAtomic } from '../../workspace/index.js'
import { flag, say, text } from '../say.js'
import { findServer } from './lesson-servers.js'

/** @import { Command, Given } from '../say.js' */

const ownTools = Object.entries(tools).flatMap(([name, { isForOwn }]) => isForOwn ? [name] : [])

/** @type {Command} */
export const profile = {
  options: {
    tool: { ...text, default: 'cpu' },
    server: text,
    load: text,
    start: text,
    path: { ...text, multiple: true },
    md: text,
    seconds: { ...text, default: '3' },
    compare: flag,
    all: flag,
    open: flag,
    seed: text
  },
  usage: 'npm run profile lesson-N [slow|mine|solution] [-- --tool NAME] [--compare] [--open], or a folder',
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
  --md FILE                write the summary as Markdown, too: for an issue, or for an assistant

Reports go to workspace/profiles/.

A server of your own: give its folder instead of a lesson, as in \`npx make-it-fast profile . --path /movies\`.
  --start COMMAND          how to start it, such as "node app.js"; default: as its package.json says
  --path PATH, --load FILE what to request, as for \`compare\`
  --tool NAME              ${ownTools.join(', ')}
The report goes to profile-report/, also after Ctrl-C. TypeScript is named by its own lines if there are source maps.`,

  async run (given) {
    const { values, positionals, stdout, onGist } = given
    const seconds = Number(values.seconds)
    if (!(seconds >= 0.5 && seconds <= 60)) {
      throw new WorkshopError(`--seconds takes a number from 0.5 to 60, got ${values.seconds}.`)
    }
    const isOwn = positionals.length === 1 && /^\.|[\\/]/.test(positionals[0])
    const { name, sections, report, kept } = isOwn
      ? await (await import('../../../compare/command.js')).profileOwn({ ...given, seconds })
      : await profileLesson(given, seconds)
    if (values.md !== undefined) await writeFileAtomic(values.md, sectionsMarkdown(name, sections))
    stdout.write(`\n${sectionsText(sections, { stream: stdout })}\n\n`)
    onGist?.((sections.find((one) => one.title === 'Reading') ?? sections[0])?.text ?? [])
    if (report !== null) stdout.write(`Report: ${shownPath(report)}\n`)
    for (const file of kept) stdout.write(`Also:   ${shownPath(file)}\n`)
    if (values.md !== undefined) stdout.write(`Also:   ${shownPath(path.resolve(values.md))}\n`)
    if (values.open && report !== null && !(await openFile(report))) {
      say(stdout, 'It couldn’t be opened from here: open it in a browser.')
    }
    return 0
  }
}

/** @param {Given} given @param {number} seconds */
async function profileLesson ({ values, positionals, stdout, env, signal, onWait }, seconds) {
  if (values.start !== undefined || values.path !== undefined) {
    throw new WorkshopError('--start and --path are for a server of your own: give its folder instead of a lesson.')
  }
  const { entry, dir, which } = await findServer(positionals, { env, usage: profile.usage, server: values.server })
  const tell = (/** @type {string} */ sentence) => say(stdout, sentence)
  /** @type {Parameters<typeof inTurn>[0]} */
  const turn = { about: { kind: 'profile', entry, dir }, tell: onWait ?? tell, signal }
  const result = await inTurn(turn, () => runProfile({
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
  return { ...result, name: `Lesson ${entry.number}, ${entry.lesson.title}: ${which}` }
}
