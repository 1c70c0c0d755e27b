import fs from 'node:fs'
import path from 'node:path'
import { gateKinds } from '../../runner/judge/gate-kinds.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { generatedFiles } from './files.js'

/** After a change of the record's schema or of the table of gate kinds: `npm run generate`. */

const read = (/** @type {string} */ file) => fs.readFileSync(path.join(workshopRoot, file), 'utf8')
for (const [file, text] of Object.entries(generatedFiles({ read, gateKinds }))) {
  if (text !== read(file)) process.stdout.write(`${file} has changed\n`)
  fs.writeFileSync(path.join(workshopRoot, file), text)
}
