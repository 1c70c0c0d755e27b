import assert from 'node:assert/strict'
import test from 'node:test'
import { summariseTrace } from '../../../runner/profiling/trace/over-time.js'
import { chartsOf, tracePage } from '../../../runner/profiling/pages/trace-page.js'
import {
  diagnose, figureSections, overTimeSection, readingSections
} from '../../../runner/profiling/trace/trace-report.js'
import { sectionsHtml, sectionsText } from '../../../runner/report/index.js'
import { load, recording, thread } from './made.js'

const gcs = [{ atMs: 1000, durationMs: 4.5, kind: 'scavenge' }, { atMs: 2000, durationMs: 12, kind: 'mark-compact' }]
const made = recording(
  thread({ gcs, underLoad: () => ({ loopBusy: 0.99, cpu: 1.5, delayMaxMs: 123, rssBytes: 91e6 }) }),
  thread({ name: 'worker thread 1', main: false, underLoad: () => ({ loopBusy: 0.4, cpu: 1.5 }) })
)
const summary = summariseTrace(made, { answers: 100, seconds: 5, connections: 10, spareCores: 4 })
const reading = readingSections({
  findings: diagnose(summary, { command: 'npm run profile lesson-1' }),
  missing: null,
  problems: ['a <b>wrong</b> answer']
})
const charts = chartsOf(made, summary)

test('has a chart for each figure, all from 0 to the end of the recording', () => {
  assert.deepEqual(
    charts.charts.map(({ title }) => title.split(',')[0]),
    [
      'Event loop utilisation',
      'Event loop delay',
      'Processor',
      'Memory',
      'Active resources',
      'Garbage collections of the main thread'
    ]
  )
  assert.deepEqual(charts.band, [load.fromMs / 1000, load.toMs / 1000])
  assert.equal(charts.end, 6)
  for (const { series } of charts.charts) for (const { x, y } of series) assert.equal(x.length, y.length)
  assert.deepEqual(charts.charts[0].series.map(({ label }) => label), ['main thread', 'worker thread 1'])
  assert.deepEqual(
    charts.charts[1].series.map(({ label, style }) => [label, style]),
    [['main thread, largest', 0], ['main thread, mean', 2], ['worker thread 1, largest', 1]]
  )
  assert.deepEqual(charts.charts[5].series, [
    { style: 0, label: 'scavenge', x: [1], y: [4.5] },
    { style: 1, label: 'mark-compact', x: [2], y: [12] }
  ])
})

test('the page holds the data, the reading and the figures, and needs nothing from elsewhere', () => {
  const html = tracePage({ title: 'Lesson 1 & <you>', reading, figures: figureSections(summary), charts })
  const [, json] = html.match(/<script type="application\/json" id="data">(.*)<\/script>/) ?? []
  assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(charts)))
  assert.match(html, /Lesson 1 &#38; &#60;you&#62;/)
  assert.match(html, /a &#60;b&#62;wrong&#60;\/b&#62; answer/)
  assert.match(html, /something synchronous runs on the main thread\. <code>npm run profile lesson-1<\/code> names it/)
  assert.match(html, /<th scope="row">worker thread 1<\/th>/)
  assert.doesNotMatch(html, /(?:src|href)\s*=/)
  assert.match(html, /default-src 'none'/)
})

test('what draws uses nothing from around it', () => {
  const html = tracePage({ title: 'x', reading, figures: [], charts })
  const scripts = [...html.matchAll(/<script>\n([\s\S]*?)\n<\/script>/g)].map(([, script]) => script)
  assert.equal(scripts.length, 2)
  // Both parse as classic scripts.
  for (const script of scripts) assert.doesNotThrow(() => Function(script)) // eslint-disable-line no-new-func
})

test('in the terminal: the reading, lines over time, tables', () => {
  const text = sectionsText([...reading, overTimeSection(made, summary, '▁▂▃▄▅▆▇█'), ...figureSections(summary)], {
    columns: 90,
    colour: false,
    unicode: true
  })
  assert.match(text, /^Reading +The event loop is busy 99 %/)
  assert.match(text, /event loop +▁+[▂-▇]?█+[▂-▇]?▁+ +up to 100 %/)
  assert.match(text, /main thread +99 % +0\.2 ms +123 ms +0\.3 %/)
  assert.match(text, /all \(RSS\) +60\.0 MB +91\.0 MB +60\.0 MB/)
  assert.match(text, /mark-compact +1 +12 ms +12 ms/)
})

test('many threads: the busiest in the terminal, all of them in the page', () => {
  const many = Array.from({ length: 12 }, (_, at) =>
    thread({ name: `worker thread ${at}`, main: at === 0, underLoad: () => ({ loopBusy: at / 12 }) })
  )
  const wide = summariseTrace(recording(...many), { answers: 1, seconds: 5, connections: 1, spareCores: 4 })
  const [section] = figureSections(wide)
  const shown = (/** @type {string} */ text) => [...text.matchAll(/worker thread \d+/g)].map(([name]) => name)
  const inTerminal = shown(sectionsText([section], { columns: 90, colour: false, unicode: true }))
  assert.deepEqual([inTerminal.length, inTerminal[0]], [8, 'worker thread 11'])
  assert.equal(shown(String(sectionsHtml([section]))).length, 12)
  assert.deepEqual(section.notes, ['12 threads, the busiest first; a terminal shows 8 of them.'])
})
