import path from 'node:path'
import { findLessons, workspaceRoot } from '../../lesson/index.js'
import { certificatePage } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { nextRow, readProgress, writeFileAtomic } from '../../workspace/index.js'
import { say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = { name: { type: 'string', default: '' } }

export const maxPositionals = 0

export const usage = 'npm run certificate [-- --name "Ada Lovelace"]'

export const help = `Write a page to keep, once you've passed every lesson.
It's workspace/certificate/certificate.html; certificate.json next to it has the full records of your best passes.

  --name NAME   your name, for the page

Exit code: 0 written, 1 not every lesson is passed yet.`

/** @param {Given} given */
export async function run ({ values, stdout, env }) {
  const entries = await findLessons({ env })
  const rows = await Promise.all(entries.map(async (entry) => ({ ...entry, ...await readProgress(entry) })))
  const records = rows.flatMap(({ best }) => best ?? [])
  if (records.length < entries.length) {
    const missing = rows.filter(({ best }) => best === undefined).map(({ number }) => number)
    say(
      stdout,
      `You have passed ${records.length} of ${entries.length} lessons. Still to come: ${missing.join(', ')}.`,
      `Next: npm run watch lesson-${nextRow(rows)?.number}`
    )
    return 1
  }
  const at = new Date().toISOString()
  const folder = path.join(workspaceRoot(env), 'certificate')
  const page = path.join(folder, 'certificate.html')
  const json = JSON.stringify({ name: values.name, at, records }, null, 2)
  await writeFileAtomic(path.join(folder, 'certificate.json'), `${json}\n`)
  await writeFileAtomic(page, certificatePage(records, { name: values.name, at }))
  say(stdout, `You have passed all ${entries.length} lessons. Your certificate: ${shownPath(page)}`)
  return 0
}
