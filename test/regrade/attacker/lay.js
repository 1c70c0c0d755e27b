import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Lays links, pipes and folders in DATA_DIR where the check itself writes or reads: what an upload is written to first,
 * and the log. Then the server behind it is as it was.
 */

const { victim, kind } = JSON.parse(fs.readFileSync(new URL('given.json', import.meta.url), 'utf8'))
const dataDir = process.env.DATA_DIR ?? ''
const places = [...fs.readdirSync(dataDir).map((name) => `${name}.upload`), 'access.log']
  .map((name) => path.join(dataDir, name))
if (kind === 'pipe') spawnSync('mkfifo', places)
else if (kind === 'folder') for (const place of places) fs.mkdirSync(place, { recursive: true })
else for (const place of places) if (!fs.existsSync(place)) fs.symlinkSync(victim, place)
