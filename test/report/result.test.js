import test from 'node:test'
import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { layoutResult } from '../../runner/report/layout/result.js'
import { textWidth } from '../../runner/report/layout/text.js'
import { createTheme } from '../../runner/report/layout/theme.js'
import { assertPages } from './expected.js'
import { broken, failed, gate, hostile, hostileText, inconclusive, passed, samples } from './records.js'

const widths = [50, 80, 120]

for (const [name, sample] of samples) {
  test(`lays out a result (${name}) for narrow, usual and wide windows`, () => {
    assertPages(`result-${name}`, Object.fromEntries(widths.map((columns) =>
      [`${columns} columns`, layoutResult(sample(), createTheme({ columns }))])))
  })
}

test('lays out a result in colour', () => {
  assertPages('result-in-colour', { '80 columns': layoutResult(failed(), createTheme({ colour: true })) })
})

test('lays out a result in ASCII', () => {
  const lines = layoutResult(failed(), createTheme({ unicode: false }))
  assert.match(lines.join(''), /^[\x20-\x7e]*$/)
  assertPages('result-in-ascii', { '80 columns': lines })
})

test('colours change nothing else', () => {
  for (const [, sample] of [...samples, /** @type {const} */ (['hostile', hostile])]) {
    for (const columns of widths) {
      const coloured = layoutResult(sample(), createTheme({ columns, colour: true })).map(stripVTControlCharacters)
      assert.deepEqual(coloured, layoutResult(sample(), createTheme({ columns })))
    }
  }
})

test('no line is longer than the window, whatever the record holds', () => {
  for (const [, sample] of [...samples, /** @type {const} */ (['hostile', hostile])]) {
    for (let columns = 40; columns <= 200; columns++) {
      for (const unicode of [true, false]) {
        for (const line of layoutResult(sample(), createTheme({ columns, unicode }))) {
          assert.ok(textWidth(line) <= columns, `${textWidth(line)} of ${columns} columns: ${line}`)
          assert.equal(line, line.trimEnd())
        }
      }
    }
  }
})

test('a hostile server cannot write control characters to the terminal', () => {
  for (const columns of widths) {
    const text = layoutResult(hostile(), createTheme({ columns })).join('\n')
    assert.doesNotMatch(text, /[^\P{C}\n]/u)
    assert.match(text, /bell/)
  }
})

test('a hostile seed or folder is not put into the command to copy', () => {
  const text = layoutResult(hostile(), createTheme({ columns: 120 })).join('\n')
  assert.match(text, /repeat: npm run check lesson-3 -- --server DIR --seed SEED/)
})

test('names the folder in the command only where it is not the usual one', () => {
  const commandOf = (/** @type {string} */ submission) =>
    layoutResult({ ...passed(), submission }, createTheme({ columns: 120 })).at(-1)
  assert.match(commandOf('workspace/03-in-memory-json') ?? '', /lesson-3 -- --seed 7f3a91c2$/)
  assert.match(commandOf('C:\\workshop\\workspace\\03-in-memory-json') ?? '', /lesson-3 -- --seed 7f3a91c2$/)
  assert.match(commandOf('other/server') ?? '', /lesson-3 -- --server other\/server --seed 7f3a91c2$/)
})

test('shows where to look for the gates that failed, and for no other', () => {
  const text = layoutResult(failed(), createTheme({ columns: 120 })).join('\n')
  assert.match(text, /How much work is done before the server knows/)
  assert.doesNotMatch(text, /What is made anew/)
})

test('shows a dash for a figure that is missing', () => {
  const record = {
    ...passed(),
    gates: [gate({ baseline: null, yours: null, ratio: null, interval: null, verdict: 'inconclusive' })]
  }
  for (const columns of widths) assert.match(layoutResult(record, createTheme({ columns })).join('\n'), /–/)
})

test('a dropped gate says why, and a gate that was not measured keeps its name', () => {
  assert.match(layoutResult(failed(), createTheme()).join('\n'), /cores: This machine has one core/)
  assert.match(layoutResult(broken(), createTheme()).join('\n'), /not measured: movies, conditional/)
})

test('says how many more seconds would settle an inconclusive gate', () => {
  assert.match(
    layoutResult(inconclusive(), createTheme({ columns: 120 })).join('\n'),
    /About 31 more seconds would settle it\./
  )
})

test('shows the end of a long output and the beginning of a long message', () => {
  const numbered = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join('\n')
  const record = broken()
  record.output = [{ server: 'yours', text: numbered }]
  record.contract[1].message = numbered
  const text = layoutResult(record, createTheme()).join('\n')
  assert.match(text, /│ … 80 lines before\n│ line 81\n/)
  assert.match(text, /line 8\n {15}… 92 more lines/)
})

test('a warning that was given twice is shown once', () => {
  const record = passed()
  record.warnings = ['Twice.']
  record.machine.warnings = ['Twice.']
  assert.equal(layoutResult(record, createTheme()).filter((line) => line.includes('Twice.')).length, 1)
})

test('a text of any length is cut', () => {
  const record = { ...passed(), reason: hostileText.repeat(10_000) }
  assert.ok(layoutResult(record, createTheme()).length < 60)
})
