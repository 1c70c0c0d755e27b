import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../../shared/errors.js'
import { findLessons, loadLesson, resolveLesson } from '../../lesson/index.js'
import { newSeed } from '../../shared/random.js'
import { createTerminalReport, jsonReport, summaryTable } from '../../report/index.js'
import { shownPath } from '../../shared/text.js'
import { workshopRoot } from '../../shared/workshop.js'
import { openCopy, requireUnfinished } from '../../workspace/index.js'
import { openReports, reportOptions } from '../report-files.js'
import { budgetOf, flag, say, text } from '../say.js'

/**
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Checked } from '../report-files.js'
 * @import { Command, Given, Output } from '../say.js'
 */

const exitCodes = { pass: 0, fail: 1, inconclusive: 2, error: 3 }

/** @type {Command} */
export const check = {
  options: { server: text, json: flag, seed: text, 'no-speed': flag, seconds: text, more: flag, ...reportOptions },
  usage: 'npm run check lesson-N [-- --server DIR] [--no-speed] [--more] [--seconds N] [--json] [--seed SEED]',
  help: `Grade a server against the lesson's slow one.
Without --server it grades workspace/NN-…/, which is made from the slow server on first use.

  lesson-3, 3, 03 or in-memory-json   which lesson; \`all\` grades every lesson
  --server DIR   grade the server.js (in lesson 7 the load.js) in that folder, wherever it is
                 (or a folder of such folders, one for each lesson, such as \`solutions\`)
  --no-speed     only whether every answer is right: a few seconds, and never a pass
  --more         continue your last check, if it was inconclusive and the code is still the same
  --seconds N    how long the rounds of load may take (by default about 20, more where that settles it or the
                 machine is slow)
  --json         one result record as JSON on standard output, everything else on standard error
                 (npm prints its own header: use \`npm run -s check …\`)
  --seed SEED    repeat the inputs of an earlier run

Reports for other systems, as many as you like (docs/automation.md):
  --junit FILE, --gradescope FILE   write such a file
  --github       in a GitHub workflow: a job summary, and annotations

With \`all\`, --json prints a list of records, and a report holds all lessons.

Exit code: 0 pass, 1 fail, 2 inconclusive, 3 the check itself could not be run.`,

  async run (given) {
    const { values, stdout, stderr, env } = given
    const [name, ...surplus] = given.positionals
    if (!name || surplus.length > 0) throw new WorkshopError(`Say which lesson, one at a time: ${check.usage}`)
    // Refused before anything is copied.
    budgetOf(values.seconds)
    const out = values.json ? stderr : stdout
    const reports = openReports({ values, env, out })
    /** @type {Checked[]} */
    const checked = []
    try {
      const isAll = name === 'all'
      for (const found of isAll ? await findLessons({ env }) : [await resolveLesson(name, { env })]) {
        const entry = await loadLesson(found)
        const server = values.server === undefined ? undefined : folderIn(values.server, entry, isAll)
        checked.push(await gradeOne(entry, server, { ...given, out }))
      }
      const records = checked.map(({ record }) => record)
      if (isAll) out.write(`\n${summaryTable(records)}\n`)
      if (values.json) stdout.write(jsonReport(isAll ? records : records[0]))
    } finally {
      reports.endText()
    }
    await reports.write(checked)
    return Math.max(...checked.map(({ record }) => exitCodes[record.verdict]))
  }
}

/**
 * `all --server solutions` means solutions/01-…, solutions/02-…, and so on; `lesson-3 --server solutions` means
 * solutions/03-…, unless `solutions` itself holds what is graded. Those of a pack come before those in this folder.
 *
 * @param {string} dir
 * @param {LoadedLesson} entry
 * @param {boolean} isAll
 */
function folderIn (dir, { file, root, folder }, isAll) {
  if (!isAll && fs.existsSync(path.join(dir, file))) return dir
  const here = path.join(dir, folder)
  const dirs = root === workshopRoot ? [here] : [path.resolve(root, dir, folder), here]
  const found = dirs.find((one) => fs.existsSync(isAll ? one : path.join(one, file)))
  if (found !== undefined || !isAll) return found ?? dir
  throw new WorkshopError(
    `There is no ${dirs[0]}. With \`all\`, --server names a folder that holds one folder for each lesson.`
  )
}

/**
 * @param {LoadedLesson} entry
 * @param {string | undefined} server the folder that is graded instead of the learner's copy
 * @param {Given & { out: Output }} given
 * @returns {Promise<Checked>}
 */
async function gradeOne (entry, server, { values, out, signal, onWait, onGist }) {
  const { grade, stoppedSentence } = await import('../../grading/index.js')
  const copy = server === undefined ? await openCopy(entry) : null
  if (copy?.created) {
    const what = entry.lesson.check?.writes ?? 'slow server'
    say(out, `Your copy of the ${what} is in ${shownPath(copy.dir)}: change it there.`)
  }
  const dir = server ?? entry.workspaceDir
  const earlier = values.more ? await requireUnfinished(entry, dir) : undefined
  const seed = earlier?.seed ?? values.seed ?? newSeed()
  const report = createTerminalReport({
    stream: out,
    run: { lesson: { id: entry.id, number: entry.number, title: entry.lesson.title }, submission: shownPath(dir), seed }
  })
  // A check without speed doesn't count as an attempt.
  const speed = !values['no-speed']
  const isKept = copy !== null && speed
  let wasKept = false
  try {
    const { record, said, isStopped, report: reportToRoom } = await grade({
      entry,
      dir,
      isKept,
      earlier,
      seed,
      speed,
      budgetMs: budgetOf(values.seconds),
      onWait: onWait ?? ((sentence) => say(out, sentence)),
      onProgress: report.onProgress,
      signal
    })
    wasKept = isStopped && isKept
    if (!isStopped) {
      report.finish(record)
      onGist?.([`${record.verdict.toUpperCase()}: ${record.reason}`, `Next: ${record.next}`])
    }
    const sentences = [...said, ...await reportToRoom()]
    if (isStopped) throw signal.reason
    if (sentences.length > 0) say(out, ...sentences)
    return { record, file: path.join(dir, entry.file) }
  } catch (error) {
    if (signal.aborted) report.interrupt(stoppedSentence(entry.number, wasKept))
    throw error
  } finally {
    report.stop()
  }
}
