import fs from 'node:fs'
import path from 'node:path'
import { findLessons, fingerprintOf } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'

/**
 * After a slow server was changed on purpose: `npm run fingerprints` writes down that this is the one that the workshop
 * ships.
 */

const found = await findLessons({ root: workshopRoot })
const fingerprints = Object.fromEntries(found.map(({ folder, slowDir }) => [folder, fingerprintOf(slowDir)]))
const file = path.join(workshopRoot, 'slow-servers', 'fingerprints.json')
fs.writeFileSync(file, `${JSON.stringify(fingerprints, null, 2)}\n`)
