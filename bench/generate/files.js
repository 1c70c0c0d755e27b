import { printJson } from './print.js'
import { typedefsOf } from './typedefs.js'

/** @import { Kind } from '../../runner/judge/index.js' */

const schemaFile = 'runner/judge/result.schema.json'
const docsFile = 'docs/authors.md'
const made = `// Made by \`npm run generate\` of ${schemaFile}: change that, and never this.\n`

/**
 * Everything that is generated. The schema itself is written in one form, with the kinds of gates that there are. Pure.
 *
 * @param {object} given
 * @param {(file: string) => string} given.read the text of a file of the repository
 * @param {Record<string, Kind>} given.gateKinds
 * @returns {Record<string, string>} files with the text that they should have
 */
export function generatedFiles ({ read, gateKinds }) {
  const schema = JSON.parse(read(schemaFile))
  schema.definitions.gateResult.properties.kind.enum = Object.keys(gateKinds)
  return {
    [schemaFile]: `${printJson(schema)}\n`,
    'runner/judge/record.js': `${made}\n${typedefsOf(schema)}\nexport {}\n`,
    [docsFile]: read(docsFile).replace(/^\| kind \| compares \| target \|\n(\|.*\n)+/m, () => kindTable(gateKinds))
  }
}

/** @param {Record<string, Kind>} gateKinds @returns {string} Markdown, for authors */
function kindTable (gateKinds) {
  const rows = Object.entries(gateKinds).map(([name, { about, direction }]) =>
    `| \`${name}\` | ${about} | ${direction} |\n`)
  return `| kind | compares | target |\n|---|---|---|\n${rows.join('')}`
}
