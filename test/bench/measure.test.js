import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../../bench/measure.js', import.meta.url))

/** @param {string[]} args */
function measure (...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('every measurement says how to run it', () => {
  const { status, stdout } = measure('--help')
  const names = /one of (.*)\.$/m.exec(stdout)?.[1].split(', ') ?? []
  assert.equal(status, 0)
  assert.ok(names.length > 10, stdout)
  for (const name of names) {
    const source = fs.readFileSync(new URL(`../../bench/${name}.js`, import.meta.url), 'utf8')
    assert.match(source.replace(/\n \* /g, ' '), new RegExp(`npm run measure ${name}\\b`), name)
  }
  assert.match(measure('lessons', '--help').stdout, /^Every lesson's [^]*npm run measure lessons/)
})

test('a wrong name or option gets one sentence, and no stack trace', () => {
  const { status, stderr } = measure('leson')
  assert.deepEqual([status, stderr], [3, 'There is no measurement "leson": did you mean "lessons"?\n'])
  const wrongOption = measure('sandbox', '--rnus', '3')
  assert.equal(wrongOption.status, 3)
  assert.match(wrongOption.stderr, /^Unknown option '--rnus'\.\n\nAre ratios and error rates/)
})
