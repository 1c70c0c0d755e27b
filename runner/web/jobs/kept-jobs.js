import path from 'node:path'
import { isObject } from '../../rules.js'
import { readJson, writeFileAtomic } from '../../workspace/index.js'

/**
 * What came of the last jobs, over a restart of the workshop: `browser-jobs.json` in the workspace, by lesson.
 *
 * @import { Ended, LastJobs } from './job.js'
 *
 * @typedef {object} KeptJobs
 * @property {Map<string, LastJobs>} last as they were kept
 * @property {(last: Map<string, LastJobs>) => Promise<void>} keep never rejects: a result mustn't be lost because it
 *   can't be kept
 */

/** @param {string} workspace @returns {Promise<KeptJobs>} */
export async function openKeptJobs (workspace) {
  const file = path.join(workspace, 'browser-jobs.json')
  const { value } = await readJson(file)
  // One after the other, so that the newest text is the last one written.
  let written = Promise.resolve()
  return {
    last: new Map(Object.entries(isObject(value) ? value : {}).map(([slug, jobs]) => [slug, soundJobs(jobs)])),
    keep: (last) => {
      written = written.then(() => writeFileAtomic(file, textOf(last))).catch(() => {})
      return written
    }
  }
}

/** Without previews: they are about code that may have changed in the meantime. @param {Map<string, LastJobs>} last */
function textOf (last) {
  return `${JSON.stringify(Object.fromEntries([...last].map(([slug, { preview, ...kept }]) => [slug, kept])))}\n`
}

/**
 * A damaged field costs only itself. Pure.
 *
 * @param {any} found
 * @returns {LastJobs}
 */
export function soundJobs (found) {
  const { bench, profile, outcomes } = Object(found)
  const { table, figures, sections } = { ...bench?.job?.result, ...profile?.job?.result }
  const sound = Object.entries(isObject(outcomes) ? outcomes : {}).filter(([, one]) => isEnded(one))
  return {
    ...isEnded(bench) && (typeof table === 'string' || Array.isArray(figures)) && { bench },
    ...isEnded(profile) && Array.isArray(sections) && sections.every(isObject) && { profile },
    outcomes: Object.fromEntries(sound)
  }
}

/** @param {any} value @returns {value is Ended} */
function isEnded (value) {
  const { at, job } = Object(value)
  const { kind, lesson, state, message } = Object(job)
  return Number.isFinite(Date.parse(at)) && [kind, lesson, state, message].every((text) => typeof text === 'string')
}
