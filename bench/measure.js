import { readdirSync } from 'node:fs'
import { nearest } from '../runner/near.js'

/**
 * The maintainers' measurements, by name: `npm run measure lessons -- 3 --runs 5`. `npm run bench` is the learner's.
 */

const notForThemselves = ['measure', 'about', 'noise', 'tour']
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -'.js'.length))
  .filter((name) => !notForThemselves.includes(name))
const [, , name = '', ...rest] = process.argv

if (names.includes(name)) {
  process.argv = [process.argv[0], name, ...rest]
  await import(new URL(`${name}.js`, import.meta.url).href)
} else {
  const [near] = nearest(name, names, { limit: 1 })
  console.error(
    `There is no measurement "${name}"${near ? `: did you mean "${near}"?` : `: there are ${names.join(', ')}.`}`
  )
  process.exitCode = 3
}
