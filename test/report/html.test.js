import assert from 'node:assert/strict'
import test from 'node:test'
import { html, paragraphs, trusted, withCode } from '../../runner/report/index.js'

test('what is put into a template is escaped, in texts and in attributes', () => {
  const evil = '<a "b" & \'c\'>'
  const escaped = '&#60;a &#34;b&#34; &#38; &#39;c&#39;&#62;'
  assert.equal(String(html`<i title="${evil}">${evil}${7}</i>`), `<i title="${escaped}">${escaped}7</i>`)
})

test('HTML in HTML isn’t escaped twice', () => {
  const inner = html`<b>${'&'}</b>`
  assert.equal(String(html`<i>${inner}${html`${inner}`}${trusted('<br>')}</i>`), '<i><b>&#38;</b><b>&#38;</b><br></i>')
})

test('HTML that became a string on its way is escaped: no text can pose as HTML', () => {
  assert.equal(String(html`<i>${`${html`<b>`}`}</i>`), '<i>&#60;b&#62;</i>')
})

test('lists are joined, each part by its kind', () => {
  assert.equal(String(html`<ul>${['<', html`<li>`, 1]}${[]}</ul>`), '<ul>&#60;<li>1</ul>')
})

test('text in backticks is code', () => {
  assert.equal(String(withCode('a < `b < c`')), 'a &#60; <code>b &#60; c</code>')
  assert.equal(String(paragraphs(['`a`', '<'])), '<p><code>a</code></p><p>&#60;</p>')
})
