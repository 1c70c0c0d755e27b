import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { argumentsFor, editorOf, forCmd, openInEditor } from '../../runner/workspace/editor.js'
import { temporaryFolder } from '../temporary.js'

test('VISUAL comes before EDITOR, and both before VS Code', () => {
  const hasCode = { installed: 'code' }
  assert.equal(editorOf({ VISUAL: 'subl', EDITOR: 'vim' }, hasCode)?.command, 'subl')
  assert.equal(editorOf({ VISUAL: ' ', EDITOR: 'vim' }, hasCode)?.command, 'vim')
  assert.deepEqual(editorOf({}, hasCode), { command: 'code', args: [], takesTerminal: false })
  assert.equal(editorOf({}, {}), null)
})

test('words and quotes of the variable are kept apart', () => {
  const editor = editorOf({ EDITOR: '"/opt/My Editor/bin/edit" --wait -n' }, {})
  assert.deepEqual(editor, { command: '/opt/My Editor/bin/edit', args: ['--wait', '-n'], takesTerminal: false })
})

test('an editor of the terminal gets it, Emacs where there is no window', () => {
  const takes = (/** @type {Record<string, string>} */ env) => editorOf(env, {})?.takesTerminal
  assert.equal(takes({ EDITOR: '/usr/bin/vim -p' }), true)
  assert.equal(takes({ EDITOR: 'nano' }), true)
  assert.equal(takes({ EDITOR: 'code --wait' }), false)
  assert.equal(takes({ EDITOR: 'emacs', DISPLAY: ':0' }), false)
  assert.equal(takes({ EDITOR: 'emacs -nw', DISPLAY: ':0' }), true)
})

test('a line is named as the editor wants it, or not at all', () => {
  const given = (/** @type {string} */ EDITOR, /** @type {number} */ line) => {
    const editor = editorOf({ EDITOR }, {})
    return editor && argumentsFor(editor, 'a b.js', line)
  }
  assert.deepEqual(given('/usr/bin/code --wait', 12), ['--wait', '--goto', 'a b.js:12'])
  assert.deepEqual(given('vim', 12), ['+12', 'a b.js'])
  assert.deepEqual(given('subl', 12), ['a b.js:12'])
  assert.deepEqual(given('notepad.exe', 12), ['a b.js'])
  assert.deepEqual(argumentsFor({ command: 'code', args: [], takesTerminal: false }, 'a.js'), ['a.js'])
})

test('on Windows nothing in a path means anything to cmd', () => {
  const file = 'C:\\Users\\A & B (x)\\100%PATH%\\a&calc.js'
  const [program, [d, s, c, line]] = forCmd('C:\\My Editor\\code.cmd', ['--goto', `${file}:12`, 'a"b\\'], {})
  assert.deepEqual([program, d, s, c], ['cmd.exe', '/d', '/s', '/c'])
  const said = 'C:\\My^ Editor\\code.cmd ^"--goto^" ' +
    '^"C:\\Users\\A^ ^&^ B^ ^(x^)\\100^%PATH^%\\a^&calc.js:12^" ^"a\\^"b\\\\^"'
  assert.equal(line, `"${said}"`)
  assert.equal(forCmd('code', [], { ComSpec: 'C:\\cmd.exe' })[0], 'C:\\cmd.exe')
})

test('the editor is given the file; one that is not there is named', async (t) => {
  const dir = temporaryFolder(t)
  const seen = path.join(dir, 'seen')
  // Named as one that takes the terminal, so that its end is waited for.
  const editor = path.join(dir, 'ed')
  const source = `require('fs').writeFileSync(${JSON.stringify(seen)}, process.argv[2])`
  await writeFile(editor, `#!${process.execPath}\n${source}\n`, { mode: 0o700 })
  if (process.platform !== 'win32') {
    assert.equal(await openInEditor('server.js', { VISUAL: editor }), null)
    assert.equal(await readFile(seen, 'utf8'), 'server.js')
  }
  const problem = await openInEditor('server.js', { VISUAL: 'no-such-editor', PATH: dir })
  assert.match(problem ?? '', /^The editor no-such-editor cannot be started .*: open server\.js yourself\.$/)
  const unnamed = await openInEditor('server.js', { PATH: dir })
  assert.match(unnamed ?? '', /^Set the variable VISUAL or EDITOR to your editor/)
})
