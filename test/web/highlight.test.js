import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { highlightLines } from '../../runner/web/pages/code-lines.js'

/** What a reader sees. @param {import('../../runner/report/index.js').Html} html */
const plain = (html) => String(html)
  .replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))

test('keywords, strings, regular expressions and comments are marked, each line by itself', () => {
  const text = 'const a = /x"/.test(b) // if\nlet s = `a\n$' + '{b} c`\n'
  assert.deepEqual(highlightLines(text, 'server.js').map(String), [
    '<span class="keyword">const</span> a = <span class="string">/x&#34;/</span>.test(b) ' +
      '<span class="comment">// if</span>',
    '<span class="keyword">let</span> s = <span class="string">`a</span>',
    '<span class="string">$' + '{</span>b<span class="string">} c`</span>',
    ''
  ])
})

test('the text stays as it is: of our own files, of broken ones, and of other languages', () => {
  const files = ['runner/cli.js', 'slow-servers/04-regex-in-loop/server.js']
  for (const text of [...files.map((file) => fs.readFileSync(file, 'utf8')), 'a = "never closed\n`$' + '{ /* <b>']) {
    assert.equal(highlightLines(text, 'a.js').map(plain).join('\n'), text)
  }
  assert.deepEqual(highlightLines('if <b>', 'notes.txt').map(String), ['if &#60;b&#62;'])
})
