import { readdirSync, readFileSync } from 'node:fs'
import { nearest } from '../runner/shared/rules.js'

/**
 * The maintainers' measurements, by name: `npm run measure lessons -- 3 --runs 5`. `npm run measure lessons -- --help`
 * says what it takes. `npm run bench` is the learner's.
 */

const notForThemselves = ['measure', 'about', 'noise', 'tour']
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -'.js'.length))
  .filter((name) => !notForThemselves.includes(name))
const [, , name = '', ...rest] = process.argv
const file = new URL(`${name}.js`, import.meta.url)

if (['', '--help', '-h'].includes(name)) {
  console.log(`npm run measure NAME [-- --help]: NAME is one of ${names.join(', ')}.`)
} else if (!names.includes(name)) {
  const [near] = nearest(name, names, { limit: 1 })
  fail(`There is no measurement "${name}"${near ? `: did you mean "${near}"?` : `: there are ${names.join(', ')}.`}`)
} else if (rest.includes('--help') || rest.includes('-h')) {
  console.log(purpose())
} else {
  process.argv = [process.argv[0], name, ...rest]
  await import(file.href).catch((error) => {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
    fail(`${error.message.split('. ')[0]}.\n\n${purpose()}`)
  })
}

/** @returns {string} the comment that says how to run it, without its types, as plain text */
function purpose () {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*.*?\*\//gs) ?? []
  const found = comments.find((comment) => comment.includes('npm run measure')) ?? ''
  return found.replace(/^\/\*\*\s*|\s*\*\/$/g, '').replace(/^ *\* ?/gm, '').split(/^@(?!import)/m)[0]
    .replace(/^@import .*$\n?/gm, '').trim()
}

/** @param {string} message */
function fail (message) {
  console.error(message)
  process.exitCode = 3
}
