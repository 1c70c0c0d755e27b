import fs from 'node:fs/promises'
import path from 'node:path'
import { workshopRoot } from './workshop.js'

/** @returns {Promise<string>} Markdown: what is sent to a room, as docs/privacy.md says it */
export async function readWhatIsSent () {
  const text = await fs.readFile(path.join(workshopRoot, 'docs', 'privacy.md'), 'utf8')
  const [, section] = /^## What is sent\n+([^]*?)\n+## /m.exec(text) ?? []
  if (section === undefined) throw new Error('docs/privacy.md has no section “What is sent”')
  return section
}
