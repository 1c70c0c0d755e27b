import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { githubAnnotations, githubSummary, gradescopeReport, junitReport } from '../report/index.js'
import { writeFileAtomic } from '../workspace/index.js'
import { flag, text } from './say.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { Output } from './say.js'
 *
 * @typedef {{ record: ResultRecord, file: string | null }} Checked file: what was checked, a path; null: no file
 */

const formats = { junit: junitReport, gradescope: gradescopeReport }
/** Their flags. */
export const reportOptions = { junit: text, gradescope: text, github: flag }

/**
 * Reports for other systems, as the flags request them. In a GitHub workflow any printed line may be a command: until
 * `endText` commands are disabled, because learners' servers influence what is printed.
 *
 * @param {object} given
 * @param {Record<string, any>} given.values the flags
 * @param {NodeJS.ProcessEnv} given.env
 * @param {Output} given.out where the text for people goes
 * @throws {WorkshopError} the flags contradict each other
 */
export function openReports ({ values, env, out }) {
  const files = Object.entries(formats).flatMap(([name, report]) =>
    values[name] === undefined ? [] : [{ flag: `--${name}`, file: String(values[name]), report }])
  refuse(files)
  const summary = values.github ? summaryFile(env) : null
  const token = summary === null ? null : randomUUID()
  if (token !== null) out.write(`::stop-commands::${token}\n`)
  return {
    /** The text for people ends here. */
    endText: () => { if (token !== null) out.write(`::${token}::\n`) },
    /** @param {readonly Checked[]} checked @throws {WorkshopError} a report could not be written */
    write: async (checked) => {
      const records = checked.map(({ record }) => record)
      if (summary !== null) out.write(githubAnnotations(checked.map((one) => inRepository(one, env))))
      const problems = await Promise.all([
        ...files.map(({ flag, file, report }) => tried(flag, file, () => writeFileAtomic(file, report(records)))),
        ...summary === null ? [] : [tried('--github', summary, () => appendFile(summary, githubSummary(records)))]
      ])
      const said = problems.filter((problem) => problem !== null)
      if (said.length > 0) throw new WorkshopError(said.join('\n'))
    }
  }
}

/** @param {{ flag: string, file: string }[]} files */
function refuse (files) {
  for (const [at, { flag, file }] of files.entries()) {
    if (file.trim() === '') throw new WorkshopError(`${flag} takes the name of a file, as in ${flag} report.txt.`)
    const other = files.slice(0, at).find((one) => path.resolve(one.file) === path.resolve(file))
    if (other) throw new WorkshopError(`${other.flag} and ${flag} name the same file, ${file}: name two files.`)
  }
}

/** @param {NodeJS.ProcessEnv} env */
function summaryFile ({ GITHUB_STEP_SUMMARY: file }) {
  if (file) return file
  throw new WorkshopError('--github is for a step of a GitHub workflow: elsewhere, set the variable ' +
    'GITHUB_STEP_SUMMARY to a file for the job summary.')
}

/** @param {Checked} checked @param {NodeJS.ProcessEnv} env */
function inRepository ({ record, file }, { GITHUB_WORKSPACE: root = process.cwd() }) {
  if (file === null) return { record, file }
  const relative = path.relative(root, file)
  const isInside = relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative)
  return { record, file: isInside ? relative.split(path.sep).join('/') : null }
}

/**
 * @param {string} flag
 * @param {string} file
 * @param {() => Promise<void>} write
 * @returns {Promise<string | null>} why it could not be written, a sentence
 */
async function tried (flag, file, write) {
  try {
    await write()
    return null
  } catch (error) {
    const { code } = error.cause ?? error
    if (code === undefined) throw error
    return `The report for ${flag} was not written to ${file} (${code}): name a file that you can write to.`
  }
}
