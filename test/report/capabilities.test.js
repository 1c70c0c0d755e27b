import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import test from 'node:test'
import { capabilitiesOf } from '../../runner/report/theme.js'

const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
const pipe = new PassThrough()

test('a terminal gets colours and a live picture, a pipe gets neither', () => {
  const every = { columns: 100, colour: true, unicode: true, live: true, uncut: false, links: true }
  assert.deepEqual(capabilitiesOf(terminal, {}, 'linux'), every)
  const few = { columns: 80, colour: false, unicode: true, live: false, uncut: true, links: false }
  assert.deepEqual(capabilitiesOf(pipe, {}, 'linux'), few)
  assert.equal(capabilitiesOf(pipe, { FORCE_COLOR: '1' }, 'linux').links, false)
  assert.equal(capabilitiesOf(pipe, { COLUMNS: '50' }, 'linux').uncut, false)
})

test('NO_COLOR and FORCE_COLOR are obeyed, and the latter wins', () => {
  assert.equal(capabilitiesOf(terminal, { NO_COLOR: '1' }, 'linux').colour, false)
  assert.equal(capabilitiesOf(terminal, { NO_COLOR: '' }, 'linux').colour, true)
  assert.equal(capabilitiesOf(pipe, { FORCE_COLOR: '1' }, 'linux').colour, true)
  assert.equal(capabilitiesOf(pipe, { FORCE_COLOR: '', NO_COLOR: '1' }, 'linux').colour, true)
  assert.equal(capabilitiesOf(terminal, { FORCE_COLOR: '0' }, 'linux').colour, false)
})

test('a dumb terminal gets plain lines', () => {
  const none = { columns: 100, colour: false, unicode: false, live: false, uncut: false, links: false }
  assert.deepEqual(capabilitiesOf(terminal, { TERM: 'dumb' }, 'linux'), none)
})

test('a window that is too narrow is not redrawn in place', () => {
  assert.equal(capabilitiesOf(Object.assign(new PassThrough(), { isTTY: true, columns: 30 }), {}, 'linux').live, false)
})

test('the legacy console of Windows gets ASCII marks, newer ones do not', () => {
  assert.equal(capabilitiesOf(terminal, {}, 'win32').unicode, false)
  assert.equal(capabilitiesOf(terminal, { WT_SESSION: 'x' }, 'win32').unicode, true)
  assert.equal(capabilitiesOf(terminal, { TERM_PROGRAM: 'vscode' }, 'win32').unicode, true)
})

test('a locale that is not UTF-8 gets ASCII marks', () => {
  assert.equal(capabilitiesOf(terminal, { LANG: 'en_GB.UTF-8' }, 'linux').unicode, true)
  assert.equal(capabilitiesOf(terminal, { LC_ALL: 'C', LANG: 'en_GB.UTF-8' }, 'linux').unicode, false)
  assert.equal(capabilitiesOf(terminal, { TERM: 'linux' }, 'linux').unicode, false)
})
