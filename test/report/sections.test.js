import assert from 'node:assert/strict'
import test from 'node:test'
import { sectionsText } from '../../runner/report/index.js'
import { shortenText, textWidth } from '../../runner/report/theme.js'

/** @type {import('../../runner/report/index.js').Section} */
const section = {
  title: 'Changed',
  columns: ['#change', '#slow', 'function', 'where'],
  rows: [
    ['−2.38', '2.39', 'checkInvalidHeaderChar', 'express/lib/response.js:1026'],
    ['−1', '1', 'native code without a name', ''],
    ['−0.8', '0.8', 'get', 'server.js:12']
  ]
}

test('a row stays a row: paths are shortened in the middle, words are wrapped', () => {
  assert.deepEqual(lines(60), [
    'Changed',
    '  change  slow  function               where',
    '   −2.38  2.39  checkI…alidHeaderChar  exp…/response.js:1026',
    '      −1     1  native code without a',
    '                name',
    '    −0.8   0.8  get                    server.js:12'
  ])
})

test('without room for the last column, it goes below', () => {
  assert.deepEqual(lines(40), [
    'Changed',
    '  change  slow  function',
    '    where',
    '   −2.38  2.39  checkInvalidHeaderChar',
    '    express/lib/response.js:1026',
    '      −1     1  native code without a',
    '                name',
    '    −0.8   0.8  get',
    '    server.js:12'
  ])
})

test('where there is no room for columns each figure is named', () => {
  /** @type {import('../../runner/report/index.js').Section} */
  const figures = {
    ...section,
    columns: ['under load', '#usual delay', '#largest of all', '#in GC'],
    rows: [
      ['main thread', '17 ms', '1,087 ms', ''],
      ['worker', '', '', '10 %']
    ]
  }
  assert.deepEqual(sectionsText([figures], { columns: 40, colour: false, unicode: true }).split('\n'), [
    'Changed',
    '  main thread',
    '    usual delay 17 ms',
    '    largest of all 1,087 ms',
    '  worker',
    '    in GC 10 %'
  ])
})

test('a title goes above its rows where it is as wide as their indent', () => {
  const titled = (/** @type {string} */ title) =>
    sectionsText([{ title, rows: [['a']] }], { columns: 80, colour: false, unicode: true }).split('\n')
  assert.deepEqual(titled('my service'), ['my service a'])
  assert.deepEqual(titled('the working tree'), ['the working tree', '           a'])
})

test('no line is wider than the window, and in a pipe nothing is cut', () => {
  for (let columns = 40; columns < 120; columns++) {
    for (const line of lines(columns)) assert.ok(textWidth(line) <= columns, `${columns}: ${line}`)
  }
  const stream = { write: () => {} }
  const { COLUMNS } = process.env
  delete process.env.COLUMNS
  const text = sectionsText([{ ...section, rows: [['1', '2', 'x'.repeat(90), 'y/'.repeat(40)]] }], { stream })
  if (COLUMNS !== undefined) process.env.COLUMNS = COLUMNS
  assert.ok(text.includes('x'.repeat(90)) && text.includes('y/'.repeat(40)))
})

test('a path keeps its file, a name its beginning and its end', () => {
  assert.equal(shortenText('express/lib/response.js:1026', 28, '…'), 'express/lib/response.js:1026')
  assert.equal(shortenText('express/lib/response.js:1026', 22, '…'), 'expr…/response.js:1026')
  assert.equal(shortenText('express/lib/response.js:1026', 12, '…'), '…nse.js:1026')
  assert.equal(shortenText('checkInvalidHeaderChar', 16, '…'), 'check…HeaderChar')
  assert.equal(shortenText('名前'.repeat(8), 9, '…'), '…名前名前')
})

/** @param {number} columns */
function lines (columns) {
  return sectionsText([section], { columns, colour: false, unicode: true }).split('\n')
}
