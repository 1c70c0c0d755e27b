import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '../../runner/web/pages/lesson-text.js'

const html = (/** @type {string} */ markdown) => String(renderMarkdown(markdown, { slug: 'mini' }).html)

test('of raw HTML, details, summaries and pictures are let through, and nothing else', () => {
  const out = html('<details open><summary>More</summary>\n\ntext\n\n</details>\n\n<script>alert(1)</script>\n\n' +
    'a <b onclick="x()">b</b> <img src=x onerror="alert(1)"> <details ontoggle="x()">\n\n<!-- unseen -->')
  assert.match(out, /<details open><summary>More<\/summary>/)
  assert.doesNotMatch(out, /<(script|b|img)\b|<details [^o]|<details o[^p]|unseen/)
  assert.match(out, /&#60;script&#62;/)
})

test('a picture comes from the lesson’s own folder, wherever it claims to lie', () => {
  assert.match(html('![A graph](pictures/a.png)'), /<img src="\/lessons\/mini\/files\/pictures\/a\.png" alt="A graph"/)
  assert.match(html('<img src="p/b.svg" alt="B">'), /<img src="\/lessons\/mini\/files\/p\/b\.svg" alt="B"/)
  assert.match(html('<img src="https://evil.example/c.png" alt="">'), /src="\/lessons\/mini\/files\/https%3A\//)
  assert.doesNotMatch(html('[x](javascript:alert(1))'), /href="javascript/)
})

test('a text of docs/ shows pictures of its own and of lessons', () => {
  const { html: out } = renderMarkdown('![A](gallery/1.svg) ![B](../lessons/16-mini/p/b.svg)', { slug: '' })
  assert.match(String(out), /src="\/docs\/files\/gallery\/1\.svg"[^]*src="\/lessons\/mini\/files\/p\/b\.svg"/)
})

test('a picture whose size is known keeps its place before it comes', () => {
  const sizes = { 'pictures/a.png': { width: 800, height: 300 } }
  const { html: out } = renderMarkdown('![A](pictures/a.png) ![B](b.png)', { slug: 'mini', sizes })
  assert.match(String(out), /alt="A" width="800" height="300"/)
  assert.match(String(out), /alt="B" loading/)
})

test('links lead to other lessons, to places in the text, and out', () => {
  assert.match(html('[9](../09-thread-pool/README.md)'), /href="\/lessons\/thread-pool"/)
  assert.match(html('[here](#fix)'), /href="#fix"/)
  assert.match(html('[loop](../../docs/glossary.md#event-loop)'), /href="\/docs\/glossary#event-loop"/)
  assert.match(html('[tools](which-tool.md)'), /href="\/docs\/which-tool"/)
  assert.match(html('[else](../../docs/stopping.md)'), /href="\/lessons\/mini\/files\//)
  assert.match(html('[out](https://nodejs.org/)'), /href="https:\/\/nodejs\.org\/" rel="noreferrer"/)
})

test('the command for a hint leads to the hints, that of another lesson nowhere', () => {
  const commands = { names: ['1'], jobs: {}, last: null }
  const { html: out } = renderMarkdown('`npm run hint 1` or `npm run hint 2`', { slug: 'mini', commands })
  assert.match(String(out),
    /<a href="#hints"><code class="short">npm run hint 1<\/code><\/a> or <code class="short">npm run hint 2/)
})

test('a profile that’s to be opened is a link; the second step leads to where the prediction is written', () => {
  const text = '## 2. Predict\n\n    npm run profile 1 slow\n\nwith `-- --seconds 1`, or `-- --open`'
  const commands = { names: ['1'], jobs: {}, last: null }
  const { html: out } = renderMarkdown(text, { slug: 'mini', commands })
  assert.match(String(out), /<h2 [^>]*>2\. Predict<\/h2>\s*<p><a href="#predict">/)
  assert.match(String(out), /--open<\/code> \(<a href="\/lessons\/mini\/profile\?server=slow&#38;tool=cpu">see it</)
  assert.doesNotMatch(String(renderMarkdown(text, { slug: 'mini' }).html), /href/)
})

test('headings have ids and are listed; the title is the page’s', () => {
  const { html: out, sections } = renderMarkdown('# Title\n\ntext\n\n## 1. A base\n\n### Deeper\n\n## Fix & go', {
    slug: 'mini'
  })
  assert.doesNotMatch(String(out), /Title/)
  assert.deepEqual(sections, [
    { id: '1-a-base', title: '1. A base', commands: [] }, { id: 'fix--go', title: 'Fix & go', commands: [] }
  ])
  assert.match(String(out), /<h2 id="1-a-base">/)
})

test('what a correct server does is folded under its heading; a cell of a doc knows its column’s title', () => {
  const { html: out } = renderMarkdown('Why\n\n## What a correct server does\n\nIt answers.\n\n## 1. A base', {
    slug: 'mini'
  })
  const folded = /<p>Why.*<details><summary><h2 .*<\/h2>\s*<\/summary><p>It answers\.<\/p>\s*<\/details>\s*<h2/s
  assert.match(String(out), folded)
  const { html: doc } = renderMarkdown('| you see | run |\n|---|---|\n| slow | it |', { slug: '' })
  assert.match(String(doc), /<td data-label="you see">slow<\/td>\s*<td data-label="run">it</)
})
