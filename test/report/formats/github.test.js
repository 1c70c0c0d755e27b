import assert from 'node:assert/strict'
import test from 'node:test'
import MarkdownIt from 'markdown-it'
import { githubAnnotations, githubSummary } from '../../../runner/report/index.js'
import { broken, failed, hostile, inconclusive, passed, samples, tiered } from '../records.js'
import { nasty, oddTexts } from './texts.js'

/** @import { ResultRecord } from '../../../runner/judge/index.js' */

const file = 'workspace/03-in-memory-json/server.js'
// As GitHub does: HTML is let through, and what looks like an address becomes a link.
const renderer = new MarkdownIt({ html: true, linkify: true })
const known = /^<\/?(h2|h3|p|table|thead|tbody|tr|th|td|pre|details|summary)>$/

/**
 * A workflow command as the runner reads it (actions/runner, ActionCommand.TryParseV2).
 *
 * @param {string} line
 */
function readCommand (line) {
  const [, level, list, data] = /^::(\w+) (.*?)::(.*)$/s.exec(line) ?? []
  assert.ok(level, `no command: ${line}`)
  const pairs = list.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  const raw = (/** @type {string} */ text) => text.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n').replaceAll('%25', '%')
  return { level, ...Object.fromEntries(pairs.map(([key, value]) => [key, raw(value)])), message: raw(data) }
}

/** @param {ResultRecord[]} records @returns {any[]} */
function annotations (...records) {
  const text = githubAnnotations(records.map((record) => ({ record, file })))
  assert.ok(text.endsWith('\n'))
  return text.slice(0, -1).split('\n').map(readCommand)
}

test('a verdict is one annotation: a notice, a warning or an error', () => {
  for (const [verdict, level] of /** @type {const} */ ([
    ['pass', 'notice'], ['fail', 'error'], ['inconclusive', 'warning'], ['error', 'error']
  ])) {
    const [, sample] = samples.find(([name]) => name === verdict) ?? assert.fail()
    const [first] = annotations(sample())
    assert.deepEqual({ level: first.level, file: first.file }, { level, file })
    assert.match(first.title, new RegExp(`^Lesson 3 · In-memory JSON: ${verdict}$`))
  }
  assert.equal(annotations(inconclusive()).length, 1)
})

test('verdicts come before what failed in them', () => {
  const titles = annotations(failed(), broken(), tiered()).map(({ title }) => title)
  assert.deepEqual(titles.map((title) => /: (?:fail|pass)$/.test(title)), [true, true, true, false, false])
  assert.deepEqual(titles.slice(3), [
    'Lesson 3: conditional',
    'Lesson 3: shows a new movie to the very next read (before the load)'
  ])
})

test('the line is the one that the server’s words or the place to look at name; else the first', () => {
  assert.equal(annotations(broken())[0].line, '31')
  assert.equal(annotations({ ...failed(), next: 'Begin at server.js:12, sum: 80 % is spent there.' })[0].line, '12')
  assert.equal(annotations(failed())[0].line, '1')
  assert.equal(annotations({ ...failed(), next: 'not-server.js:12 server.js:0 server.js:99999999' })[0].line, '1')
})

test('what lies outside of the repository has no file', () => {
  assert.doesNotMatch(githubAnnotations([{ record: passed(), file: null }]), /file=|line=/)
})

test('no text can command the runner', () => {
  const given = annotations(hostile(nasty))
  assert.match(given[0].message, /::error file=a\.js,line=1::mine %0A%25/)
  for (const one of given) {
    assert.equal(one.file, file)
    assert.match(one.title, /::error file=a\.js,line=1::mine %0A%25/)
  }
  for (const text of oddTexts) {
    const given = githubAnnotations([{ record: hostile(text), file: `${text.replace(/[^\P{C}]/gu, '')}.js` }])
    const lines = given.slice(0, -1).split('\n').map(readCommand)
    assert.equal(lines.length, 3)
    for (const one of lines) assert.deepEqual(Object.keys(one), ['level', 'file', 'line', 'title', 'message'])
  }
})

/** @param {string} markdown @returns {string} HTML in which only what we wrote is a tag */
function rendered (markdown) {
  const html = renderer.render(markdown)
  for (const [tag] of html.matchAll(/<[^>]*>/g)) assert.match(tag, known, html)
  for (const [row] of html.matchAll(/<tr>[^]*?<\/tr>/g)) {
    assert.ok([3, 8].includes(row.match(/<t[hd]>/g)?.length ?? 0), row)
  }
  return html
}

test('the summary of a record is Markdown that says verdict and reason', () => {
  for (const [, sample] of samples) {
    const html = rendered(githubSummary([sample()]))
    assert.match(html, new RegExp(`<h2>. ${sample().verdict.toUpperCase()} · Lesson \\d+`))
    assert.ok(html.includes(sample().reason.slice(0, 40)), html)
  }
})

test('the summary of several is a table, and what did not pass below it', () => {
  const html = rendered(githubSummary(samples.map(([, sample]) => sample())))
  assert.equal(html.match(/<h2>/g)?.length, 5)
  assert.match(html, /<td>Lesson 16 · Capstone<\/td>\s*<td>✓ pass<\/td>/)
})

test('no text is Markdown, HTML, a link or a mention', () => {
  const html = rendered(githubSummary([hostile(nasty)]))
  assert.ok(html.includes('**bold** _it_ `code`'), html)
  for (const part of html.split(/<pre>[^]*?<\/pre>/)) assert.doesNotMatch(part, /@octocat/)
  for (const text of oddTexts) rendered(githubSummary([hostile(text), hostile(`${text}${nasty}`)]))
})

test('a text that begins like Markdown or HTML is a paragraph all the same', () => {
  for (const text of [
    '<script x', '<!-- x', '<pre x', '# x', '> x', '- x', '+ x', '* x', '1. x', '2) x', '---', '===', '```', '~~~',
    '| x |', '[x]: http://evil.example', 'www.evil.example', 'x http://evil.example', 'a 1.5: b. c'
  ]) {
    const shown = text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const html = rendered(githubSummary([hostile(text)]))
    assert.ok(html.includes(`<p>${shown}</p>`), html)
  }
})

test('a summary stays below what GitHub takes', () => {
  const long = { ...failed(), output: [{ server: 'yours', text: '映画\n'.repeat(6000) }] }
  const text = githubSummary(Array.from({ length: 60 }, () => long))
  assert.ok(Buffer.byteLength(text) < 2 ** 20)
  assert.match(text, /The rest is too long to be shown here\.\n$/)
  rendered(text)
})
