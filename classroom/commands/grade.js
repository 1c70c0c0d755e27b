import { createHash } from 'node:crypto'
import path from 'node:path'
import { WorkshopError } from '../../runner/shared/errors.js'
import { resolveLesson, workspaceRoot } from '../../runner/lesson/index.js'
import {
  csvText, gradescopeReport, jsonReport, layoutFitted, secondary, secondaryRow, themeFor, verdictCell
} from '../../runner/report/index.js'
import { shownPath } from '../../runner/shared/text.js'
import { writeFileAtomic } from '../../runner/workspace/index.js'
import { budgetOf, flag, openReports, say, text } from '../../runner/cli/index.js'

/**
 * @import { Grade } from '../regrade/index.js'
 * @import { Command } from '../../runner/cli/index.js'
 * @import { TextOptions } from '../../runner/report/index.js'
 */

/** @type {Command} */
export const gradeFolder = {
  options: {
    lesson: text,
    results: text,
    again: flag,
    seconds: text,
    csv: text,
    json: flag,
    junit: text,
    gradescope: text,
    'no-sandbox': flag
  },
  maxPositionals: 1,
  usage: 'npm run grade DIR [-- --lesson N] [--again] [--results FILE] [--csv FILE] [--json] ' +
    '[--junit FILE] [--gradescope FOLDER] [--seconds N] [--no-sandbox]',
  help: `For instructors: grade a folder of submissions, each in a sandbox (docs/grading.md).
It takes DIR/LEARNER/lesson-4/server.js, and with --lesson also DIR/LEARNER/server.js. Every result is
saved at once: stop whenever you like, and the same command goes on with what has no pass or fail yet.

  --lesson N       grade this lesson only
  --again          also grade what has a result
  --results FILE   where results are kept; default: in the workshop's workspace/grades
  --seconds N      how long the rounds of load may take for each
  --no-sandbox     run submissions with all your rights where there is no sandbox; the results are
                   marked as unverified

  --csv FILE           a table
  --json               all results with their records on standard output, everything else on standard error
  --junit FILE         JUnit, a suite for each submission
  --gradescope FOLDER  a results.json for each learner, called LEARNER.json

Exit code: 0 all have a pass or a fail, 2 some are inconclusive, 3 some could not be graded.`,

  async run ({ values, positionals: [name], stdout, stderr, env, signal }) {
    if (name === undefined) throw new WorkshopError(`Say which folder of submissions: ${gradeFolder.usage}`)
    const dir = path.resolve(name)
    const out = values.json ? stderr : stdout
    const budgetMs = budgetOf(values.seconds)
    const reports = openReports({ values: { junit: values.junit }, env, out })
    const lesson = values.lesson === undefined ? undefined : await resolveLesson(values.lesson, { env })
    const { aboutSandbox, findSubmissions, probeSandbox, refuseRoot, regradeFolder } =
      await import('../regrade/index.js')
    refuseRoot(env)
    const onSkip = (/** @type {string} */ sentence) => say(out, sentence)
    const submissions = await findSubmissions(dir, { lesson, env, onSkip })
    const sandbox = await probeSandbox({ isOptional: values['no-sandbox'] })
    say(out, ...aboutSandbox(sandbox))
    const file = path.resolve(values.results ?? resultsOf(dir, env))
    const grades = await regradeFolder({
      submissions,
      file,
      sandbox,
      again: values.again === true,
      budgetMs,
      onStart: ({ learner, entry }) => say(out, `${learner}, lesson ${entry.number} …`),
      onGrade: ({ verdict, reason }) => say(out, `${verdict}: ${reason}`),
      signal
    }).catch((error) => {
      if (signal.aborted) say(out, `Stopped. The results are kept in ${shownPath(file)}: the same command goes on.`)
      throw error
    })
    out.write(`\n${gradesTable(grades, { stream: out })}\n`)
    if (values.json) stdout.write(jsonReport(grades))
    await reports.write(grades.flatMap(titled).map((record) => ({ record, file: dir })))
    if (values.csv !== undefined) await writeFileAtomic(path.resolve(values.csv), csvOf(grades))
    if (values.gradescope !== undefined) await writeGradescope(path.resolve(values.gradescope), grades)
    return Math.max(...grades.map(({ verdict }) => ({ pass: 0, fail: 0, inconclusive: 2, error: 3 })[verdict]))
  }
}

/** One row for each graded submission. @param {readonly Grade[]} grades @param {TextOptions} options */
function gradesTable (grades, options) {
  const theme = themeFor(options)
  const heads = secondaryRow(['learner', 'lesson', 'verdict', 'reason'])
  const doubt = (/** @type {Grade} */ { verified, unbounded, verdict }) =>
    verdict === 'error' ? '' : !verified ? ', unverified' : unbounded ? ', memory unbounded' : ''
  const rows = grades.map((grade) => [
    { text: theme.line(grade.learner) },
    { text: String(grade.lesson.number) },
    verdictCell(grade, theme, doubt(grade)),
    secondary(theme.line(grade.reason))
  ])
  return layoutFitted([heads, ...rows], ['left', 'right', 'left', 'left'], theme, { head: true }).join('\n')
}

/** Who can write to DIR could write results there. @param {string} dir @param {NodeJS.ProcessEnv} env */
function resultsOf (dir, env) {
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 8)
  return path.join(workspaceRoot(env), 'grades', `${path.basename(dir)}-${hash}.json`)
}

/** The record with a title that names the learner. @param {Grade} grade */
function titled ({ learner, record }) {
  if (record === null) return []
  return [{ ...record, lesson: { ...record.lesson, title: `${record.lesson.title} (${learner})` } }]
}

/** @param {readonly Grade[]} grades */
function csvOf (grades) {
  const columns = ['learner', 'lesson', 'title', 'verdict', 'verified', 'reason', 'seed', 'started', 'hash']
  return csvText([columns, ...grades.map(({ learner, lesson, verdict, reason, record, hash, ...how }) => [
    learner, lesson.number, lesson.title, verdict, verifiedText(how), reason, record?.seed ?? null,
    record?.startedAt ?? null, hash
  ])])
}

/** @param {Pick<Grade, 'verified' | 'unbounded'>} grade */
function verifiedText ({ verified, unbounded }) {
  return !verified ? 'no' : unbounded ? 'yes, memory unbounded' : 'yes'
}

/** @param {string} folder @param {readonly Grade[]} grades */
async function writeGradescope (folder, grades) {
  for (const learner of new Set(grades.map((grade) => grade.learner))) {
    const records = grades.flatMap((grade) => grade.learner === learner && grade.record ? [grade.record] : [])
    await writeFileAtomic(path.join(folder, `${learner}.json`), gradescopeReport(records))
  }
}
