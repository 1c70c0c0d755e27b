import assert from 'node:assert/strict'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { layoutGates } from '../../runner/report/gates-and-rounds.js'
import { layoutCommand, layoutResult } from '../../runner/report/result.js'
import { createTheme, textWidth } from '../../runner/report/theme.js'
import { assertPages } from './expected.js'
import { broken, failed, gate, hostile, hostileText, inconclusive, passed, samples } from './records.js'

/** @import { ResultRecord } from '../../runner/judge/index.js' */

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

/** What is copied into a shell is broken between words alone. @param {string} line */
const isOneWord = (line) => /^ +(# )?(-\w )?\S*'[^']*'( \\)?$/.test(line)

test('no line is longer than the window, whatever the record holds, but for a word of a command', () => {
  for (const [, sample] of [...samples, /** @type {const} */ (['hostile', hostile])]) {
    // Narrow windows are where it's tight.
    for (let columns = 40; columns <= 200; columns += columns < 60 ? 3 : 20) {
      for (const unicode of [true, false]) {
        for (const line of layoutResult(sample(), createTheme({ columns, unicode }))) {
          assert.ok(textWidth(line) <= columns || isOneWord(line), `${textWidth(line)} of ${columns}: ${line}`)
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

test('shows a dash for a figure that is missing', () => {
  const record = {
    ...passed(),
    gates: [gate({ baseline: null, yours: null, ratio: null, interval: null, verdict: 'inconclusive' })]
  }
  for (const columns of widths) assert.match(layoutResult(record, createTheme({ columns })).join('\n'), /–/)
})

test('shows the beginning of a long output and of a long message, in whole lines', () => {
  const numbered = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join('\n')
  const record = broken()
  record.output = [{ server: 'yours', text: numbered }]
  record.contract[1].message = numbered
  const text = layoutResult(record, createTheme()).join('\n')
  assert.match(text, /│ line 19\n│ … 81 more lines\n\nNext/)
  assert.match(text, /line 8\n {15}… 92 more lines/)
  record.output[0].text = `${numbered}\n… 7 more lines`
  assert.match(layoutResult(record, createTheme()).join('\n'), /│ line 19\n│ … 88 more lines\n/)
})

test('a line of output is broken between words, and keeps how far it was set in', () => {
  const record = broken()
  record.output = [{ server: 'yours', text: `TypeError: no\n    at ${'elsewhere '.repeat(8)}(server.js:31:24)` }]
  const text = layoutResult(record, createTheme({ columns: 60 })).join('\n')
  assert.match(text, /│ TypeError: no\n│ {5}at elsewhere( elsewhere)*\n│ {7}(elsewhere )+\(server\.js:31:24\)\n/)
})

test('a failed check shows the requests that show it, as a shell takes them, and how to start both servers', () => {
  const lines = layoutResult({ ...broken(), submission: 'workspace/03-in-memory-json' }, createTheme())
  const from = lines.findIndex((line) => line.trim().startsWith('# stop the server'))
  const indent = ' '.repeat(17)
  assert.deepEqual(lines.slice(from, from + 4), [
    `${indent}# stop the server, and start it again on the same data`,
    `${indent}curl -i -X POST -H 'Content-Type: application/json' \\`,
    `${indent}  -H 'X-Api-Key: k7' -d '{"title":"The Kid"}' \\`,
    `${indent}  'http://127.0.0.1:PORT/movies'`
  ])
  const text = lines.join('\n')
  for (const which of ['mine', 'slow']) {
    assert.ok(lines.includes(`${indent}npm run serve lesson-3 ${which} -- --seed 7f3a91c2`), text)
  }
  assert.equal(text.split('tt0000792 answered 404').length, 2)
  const elsewhere = layoutResult(broken(), createTheme({ columns: 120 })).join('\n')
  assert.match(elsewhere, /npm run serve lesson-3 -- --server "\/home\/ada\/my fix" --seed 7f3a91c2/)
})

test('a word of a command is never broken, and a quoted one keeps its spaces', () => {
  const body = `-d '{"text":"${'it is long '.repeat(10)}"}'`
  const command = `curl -i ${body} 'http://127.0.0.1:PORT/a b'`
  const lines = layoutCommand(command, createTheme({ columns: 50 }))
  assert.equal(lines.map((line) => line.replace(/ \\$/, '').trim()).join(' '), command)
  assert.deepEqual(lines.map((line) => line.endsWith(' \\')), [true, true, false])
})

test('a command that is laid out has the same words as before, whatever its flags', () => {
  for (const command of [
    "curl -i --compressed -H 'x-request-id: r-1 2' -H 'accept: a' -X POST -d '{\"a\": 1}' 'http://127.0.0.1:PORT/a'",
    "curl -i --compressed -X DELETE 'http://127.0.0.1:PORT/a b'",
    "curl -i -I -H 'a: it'\\''s' 'http://127.0.0.1:PORT/' &",
    'npm run check lesson-3 -- --server "my files" --seed 7f3a91c2'
  ]) {
    for (let columns = 20; columns <= 120; columns += 5) {
      const lines = layoutCommand(command, createTheme({ columns }))
      assert.equal(lines.map((line) => line.replace(/ \\$/, '').trim()).join(' '), command)
    }
  }
})

test('the port of a service\'s faults is explained where a check has set some', () => {
  const record = failed()
  const withRequests = (/** @type {string} */ request) => {
    const contract = [{ ...record.contract[0], status: /** @type {const} */ ('fail'), requests: [request] }]
    return layoutResult({ ...record, contract }, createTheme()).join('\n')
  }
  assert.match(withRequests("curl -d '[]' 'http://127.0.0.1:FAULTS'"), /FAULTS\s+with\s+the\s+port/)
  assert.doesNotMatch(withRequests("curl -i 'http://127.0.0.1:PORT/'"), /FAULTS/)
})

test('no server is said to reach more than a bare one', () => {
  const reached = (/** @type {number} */ yours) => {
    const one = gate({ ratio: 10, baseline: 100, yours, limit: 1000, target: 4 })
    return layoutResult({ ...passed(), gates: [one] }, createTheme({ columns: 120 })).join(' ').replace(/\s+/g, ' ')
  }
  assert.match(reached(800), /about 10\.0× here, and yours comes to 80 % of that/)
  for (const yours of [997, 1000, 1220]) {
    assert.match(reached(yours), /you’ve reached what a bare Node\.js server does here/)
  }
})

test('warnings are below the gates unless the verdict is a pass, and else at the end', () => {
  const places = (/** @type {ResultRecord} */ record) => {
    const lines = layoutResult({ ...record, warnings: ['Look here.'] }, createTheme({ columns: 120 }))
    return ['movies  ', 'Warnings', 'Rounds', 'Machine'].map((start) => {
      return lines.findIndex((line) => line.includes(start))
    })
  }
  for (const [record, order] of /** @type {[ResultRecord, number[]][]} */ ([
    [failed(), [0, 1, 2, 3]],
    [inconclusive(), [0, 1, 2, 3]],
    [passed(), [0, 2, 3, 1]]
  ])) {
    const found = places(record)
    assert.deepEqual([...found.keys()].sort((a, b) => found[a] - found[b]), order)
  }
})

test('a gate’s question is in the last line or in Look, not in both', () => {
  const record = failed()
  record.next = `${record.gates[1].look} Begin at server.js:31.`
  const text = layoutResult(record, createTheme({ columns: 120 })).join('\n')
  assert.equal(text.split(record.gates[1].look).length, 2)
  assert.doesNotMatch(text, /Look {2}/)
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

test('in a pipe no name of a gate is cut', () => {
  const name = 'healthz during a great many logins at the same time'
  const gates = passed().gates.map((gate) => ({ ...gate, name }))
  const rows = (/** @type {boolean} */ uncut) => layoutGates(gates, createTheme({ columns: 80, uncut })).join('\n')
  assert.ok(rows(true).includes(`✓ ${name}  `))
  assert.ok(!rows(false).includes(`✓ ${name}  `))
})
