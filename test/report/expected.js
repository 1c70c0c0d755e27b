/**
 * Pages of text that a test expects. After an intended change, write them again and read the difference:
 * UPDATE_EXPECTED=1 node --test test/report/*.test.js
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * @param {string} name of a file in expected/, without `.txt`
 * @param {Record<string, string[]>} pages lines by title
 */
export function assertPages (name, pages) {
  const file = new URL(`expected/${name}.txt`, import.meta.url)
  const actual = Object.entries(pages)
    .map(([title, lines]) => `=== ${title}\n${lines.map((line) => line.replaceAll('\u001b', '␛') + '\n').join('')}`)
    .join('')
  if (process.env.UPDATE_EXPECTED) writeFileSync(file, actual)
  assert.equal(actual, readFileSync(file, 'utf8').replaceAll('\r\n', '\n'))
}
