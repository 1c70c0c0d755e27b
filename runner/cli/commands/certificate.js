import path from 'node:path'
import { findLessons, lessonsRoot, workspaceRoot } from '../../lesson/index.js'
import { certificatePage } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { readProgress, writeFileAtomic } from '../../workspace/index.js'
import { say } from '../say.js'

/** @import { Given } from '../main.js' */

export const options = { name: { type: /** @type {const} */ ('string'), default: '' } }

export const maxPositionals = 0

export const usage = 'npm run certificate [-- --name "Ada Lovelace"]'

export const help = `A page to keep, after every lesson has passed: workspace/certificate/certificate.html,
and certificate.json with the whole records of the best passes.

  --name NAME   who has passed

Exit code: 0 written, 1 not every lesson has passed yet.`

/** @param {Given} given */
export async function run ({ values, stdout, env }) {
  const entries = await findLessons({ env })
  const progress = await Promise.all(entries.map((entry) => readProgress(entry)))
  const records = progress.flatMap(({ best }) => best ?? [])
  if (records.length < entries.length) {
    const missing = entries.filter((_, at) => progress[at].best === undefined).map(({ number }) => `lesson-${number}`)
    say(
      stdout,
      `${records.length} of ${entries.length} lessons have passed. Still to come: ${missing.join(', ')}.`,
      `Go on: npm run watch ${missing[0]}`
    )
    return 1
  }
  const at = new Date().toISOString()
  const folder = path.join(workspaceRoot(lessonsRoot(env), env), 'certificate')
  const page = path.join(folder, 'certificate.html')
  const json = JSON.stringify({ name: values.name, at, records }, null, 2)
  await writeFileAtomic(path.join(folder, 'certificate.json'), `${json}\n`)
  await writeFileAtomic(page, certificatePage(records, { name: values.name, at }))
  say(stdout, `All ${entries.length} lessons have passed. Your certificate: ${shownPath(page)}`)
  return 0
}
