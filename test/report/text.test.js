import assert from 'node:assert/strict'
import test from 'node:test'
import { cleanLine, cleanLines } from '../../runner/shared/text.js'
import {
  formatDuration, formatInterval, formatNumber, formatRatio, formatTarget, sayMore
} from '../../runner/report/numbers.js'
import { scaleOf, sparkline } from '../../runner/report/section.js'
import { breakText, createTheme, padText, textWidth, truncateText, wrapText } from '../../runner/report/theme.js'
import { gate, hostileText } from './records.js'

const { marks } = createTheme()

test('cleaning removes escape sequences, control and bidirectional characters', () => {
  assert.equal(cleanLine(hostileText), 'red bell gnp.exe a b tab zero')
  assert.deepEqual(cleanLines('\n one\r\n\ttwo\rthree \n\n'), [' one', '  two', 'three'])
  assert.equal(cleanLine(null), '')
  assert.equal(cleanLine('a\ud800b'), 'ab')
  assert.equal(cleanLine('\u001b\u001b[31m[31mx').includes('\u001b'), false)
})

test('cleaning to ASCII turns symbols and keeps letters', () => {
  assert.equal(cleanLine('≥ 4× … Jürgen 映画 ★', false), '>= 4x ... Jürgen 映画 ?')
})

test('widths count what a terminal draws', () => {
  assert.equal(textWidth('abc'), 3)
  assert.equal(textWidth('映画'), 4)
  assert.equal(textWidth('e\u0301'), 1)
  assert.equal(textWidth('🚀'), 2)
})

test('text is wrapped between words, and a long word is cut', () => {
  assert.deepEqual(wrapText('one two three', 7), ['one two', 'three'])
  assert.deepEqual(wrapText('abcdefgh', 3), ['abc', 'def', 'gh'])
  assert.deepEqual(breakText('映画映', 5), ['映画', '映'])
  assert.deepEqual(wrapText('', 10), [''])
})

test('text is cut with an ellipsis and padded', () => {
  assert.equal(truncateText('conditional', 8, '…'), 'conditi…')
  assert.equal(truncateText('movies', 8, '…'), 'movies')
  assert.equal(padText('映', 4), '映  ')
  assert.equal(padText('ab', 4, 'right'), '  ab')
})

test('numbers have three significant digits', () => {
  const values = [0, 1, 4.306, 9.996, 99.96, 412.4, 999.6, 1784, 123_456, 0.01234]
  const written = values.map((value) => formatNumber(value, '–'))
  assert.deepEqual(written, ['0', '1.00', '4.31', '10.0', '100', '412', '1,000', '1,780', '123,000', '0.0123'])
  assert.equal(formatNumber(null, '–'), '–')
  assert.equal(formatNumber(NaN, '–'), '–')
  assert.equal(formatNumber(1e15, '–'), '1.00e+15')
})

test('durations are seconds, then minutes', () => {
  assert.deepEqual(
    [380, 8214, 59_940, 132_400].map((ms) => formatDuration(ms, '–')),
    ['0.38 s', '8.21 s', '59.9 s', '2 min 12 s']
  )
})

test('a ratio, its interval and its target', () => {
  assert.equal(formatRatio(gate({ ratio: 4.306 }), marks), '4.31×')
  assert.equal(formatRatio(gate({ ratio: null }), marks), '–')
  assert.equal(formatInterval(gate({ interval95: [3.91, 4.83] }), marks), '3.9 to 4.8')
  assert.equal(formatInterval(gate({ interval95: null }), marks), '–')
  assert.equal(formatTarget(gate({}), marks), '≥ 4×')
  assert.equal(formatTarget(gate({ direction: 'at most', target: 1.5 }), marks), '≤ 1.5×')
  assert.equal(formatTarget(gate({ target: null }), marks), '–')
})

test('rounding moves neither ratio nor interval across the target', () => {
  assert.equal(formatRatio(gate({ ratio: 3.9987, target: 4 }), marks), '3.999×')
  assert.equal(formatInterval(gate({ interval95: [3.98, 4.8], target: 4 }), marks), '3.98 to 4.80')
  assert.equal(formatInterval(gate({ interval95: [1.021, 1.149], target: 4 }), marks), '1.02 to 1.15')
  assert.equal(formatInterval(gate({ interval95: [0.981, 1.094], target: 1.5 }), marks), '0.98 to 1.09')
})

test('a curve starts at zero, so that heights may be compared', () => {
  assert.equal(sparkline([0, 50, 100], 100, marks.spark), '▁▅█')
  assert.equal(sparkline([0, 0], 0, marks.spark), '▁▁')
  assert.equal(sparkline([NaN, 200], 100, marks.spark), '▁█')
})

test('the scale shows the ratio inside its interval, on its side of the target', () => {
  const theme = createTheme()
  const text = scaleOf(gate({ ratio: 6, interval95: [5, 7], target: 4 }), 30, theme)?.text ?? ''
  assert.match(text, /^─+│─*━+●━+─*$/)
  assert.equal(text.length, 30)
  assert.match(scaleOf(gate({ ratio: 2, interval95: [1.5, 2.5], target: 4 }), 30, theme)?.text ?? '', /^─*━+●━+─*│─*$/)
  assert.equal(scaleOf(gate({ ratio: null }), 30, theme), null)
  assert.equal(scaleOf(gate({ target: null }), 30, theme), null)
})

test('the scale stays inside its columns when an interval is absurd', () => {
  for (const interval of /** @type {[number, number][]} */ ([[0, 1e9], [-1, 0.0001], [1e9, 1e9], [5, 1]])) {
    assert.equal(scaleOf(gate({ interval }), 20, createTheme({ unicode: false }))?.text.length, 20)
  }
})

test('the time that’s missing is never 0 s', () => {
  const open = { verdict: /** @type {const} */ ('inconclusive') }
  assert.equal(sayMore({ ...gate({}), ...open, moreSeconds: 1 }), 'About 1 more second would settle it.')
  assert.equal(sayMore({ ...gate({}), ...open, moreSeconds: 0.2 }), 'A moment more would settle it.')
})
