import assert from 'node:assert/strict'
import vm from 'node:vm'
import test from 'node:test'
import { changePerRequest, readCpuProfile, summarise } from '../../runner/inside/index.js'
import { changesSection } from '../../runner/profiling/tools/cpu-tool.js'
import { flamePage } from '../../runner/profiling/pages/flame-page.js'
import { routeIn } from '../../runner/shared/text.js'
import { html, htmlPage } from '../../runner/report/index.js'
import { dir, inServer, rawProfile } from '../inside/cpu-profile/profiles.js'
import { until } from '../until.js'
import { openBrowser, skip } from '../web/chromium.js'

const evil = '</script><script>alert(1)</script>'
const server = inServer('server.js')
const profileOf = (/** @type {number} */ ms) => readCpuProfile(rawProfile([
  { stack: [['handle', server, 7], [evil, server, 9], ['writev', '']], ms },
  { stack: [['handle', server, 7]], ms: 20 },
  { stack: [['(idle)', '']], ms: 30 }
]), { dir })
const dataOf = (/** @type {string} */ html) =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/.exec(html)?.[1] ?? '')

test('a page is one file: no address outside, its scripts parse, no name of a function breaks out', () => {
  const html = flamePage({
    title: `Lesson 1 ${evil}`,
    sentences: ['66 % in handle'],
    after: { answers: 10, threads: [{ title: 'main thread', profile: profileOf(50) }] }
  })
  assert.doesNotMatch(
    html.replaceAll(/http:\/\/www\.w3\.org\/[\w/]+|\/\/ https?:\/\/\S+/g, ''),
    /(?:src|href)=["']?https?:/
  )
  assert.ok(!html.includes(evil))
  const scripts = [...html.matchAll(/<script>\n(.*?)\n<\/script>/gs)].map(([, script]) => script)
  assert.ok(scripts.length > 10)
  for (const script of scripts) assert.doesNotThrow(() => new vm.Script(script))
})

test('a graph that had no width at first draws itself once it has one, and as wide as it is', { skip }, async (t) => {
  const { page, faults } = await (await openBrowser(t))({ viewport: { width: 1000, height: 700 } })
  const graph = flamePage({
    title: '', sentences: [], after: { answers: 1, threads: [{ title: '', profile: profileOf(50) }] }
  })
  await page.setContent(graph.replace('<body>', '<body hidden>'))
  assert.equal(await page.locator('#graph').evaluate(({ clientWidth }) => clientWidth), 0)
  await page.evaluate(() => document.body.removeAttribute('hidden'))
  const isAsWide = () => page.locator('#graph svg').evaluateAll(([svg]) =>
    Number(svg?.getAttribute('width')) === document.getElementById('graph')?.clientWidth)
  await until(isAsWide)
  await page.setViewportSize({ width: 500, height: 700 })
  await until(isAsWide)
  assert.ok(await page.locator('#graph').evaluate(({ clientWidth }) => clientWidth > 0 && clientWidth < 500))
  assert.deepEqual(faults, [])
})

test('idle isn’t drawn, a package’s run is one row, and in order of time idle is a gap', { skip }, async (t) => {
  const express = inServer('node_modules/express/index.js')
  const stack = (/** @type {number} */ line) => /** @type {[string, string, number][]} */ (
    [['app', express, 1], ['use', express, line], ['next', express, 4], ['handle', server, 7]])
  const profile = readCpuProfile(rawProfile([
    { stack: stack(2), ms: 30 }, { stack: stack(3), ms: 30 }, { stack: [['(idle)', '']], ms: 40 }
  ]), { dir })
  const { page, faults } = await (await openBrowser(t))({ viewport: { width: 1000, height: 700 } })
  await page.setContent(flamePage({
    title: '', sentences: [], after: { answers: 1, threads: [{ title: 'main thread', profile }] }
  }))
  const names = () => page.locator('g.frame').evaluateAll((frames) => frames.map((one) => one.getAttribute('name')))
  const caption = page.locator('#graph p')
  await until(async () => (await names()).length > 0)
  assert.deepEqual((await names()).sort(), ['all', 'express, 3 frames', 'handle'])
  assert.equal(await caption.textContent(), 'Idle 40.0 % of the time, which isn’t drawn.')
  assert.match(String(await page.locator('#details').textContent()), /^handle, server\.js:7: 60 ms, 60\.0 % of/)
  await page.getByRole('button', { name: 'each package in one row' }).click()
  assert.deepEqual((await names()).sort(), ['all', 'app', 'handle', 'handle', 'next', 'next', 'use', 'use'])
  assert.deepEqual(faults, [])
})

test('the views of one server: each thread, and all of them, whose frames add up', () => {
  const { views } = dataOf(
    flamePage({
      title: '',
      sentences: [],
      after: {
        answers: 10,
        threads: [
          { title: 'main thread', profile: profileOf(50) },
          { title: 'worker thread 1', profile: profileOf(10) }
        ]
      }
    })
  )
  assert.deepEqual(
    views.map((/** @type {any} */ { title }) => title),
    ['main thread', 'worker thread 1', 'all threads']
  )
  /** @param {any} frame */
  const addsUp = ({ value, children }) => {
    assert.ok(
      children.reduce((/** @type {number} */ sum, /** @type {any} */ child) => sum + child.value, 0) <= value + 1
    )
    children.forEach(addsUp)
  }
  for (const { tree } of views) addsUp(tree)
})

test('compared, each frame knows its time for a request in both servers', () => {
  const [before, after] = [profileOf(80), profileOf(10)]
  const changes = changePerRequest(
    { functions: summarise(before.root).functions, answers: 10 },
    { functions: summarise(after.root).functions, answers: 5 }
  )
  const html = flamePage({
    title: '',
    sentences: [],
    before: { answers: 10, threads: [{ title: '', profile: before }] },
    after: { answers: 5, threads: [{ title: '', profile: after }] },
    changes: changesSection(changes)
  })
  const { views } = dataOf(html)
  const [handle] = views[0].tree.children
  assert.equal(handle.name, 'handle')
  assert.deepEqual([handle.value, handle.other], [6000, 10_000])
  assert.match(html, /<td class="number">−6<\/td><td class="number">8<\/td><td class="number">2<\/td>/)
})

test('a page’s title is escaped', () => {
  assert.match(htmlPage({ title: '<x>', body: html`` }), /<title>&#60;x&#62;<\/title>/)
})

test('a handler without a name is called by its route', () => {
  assert.equal(routeIn("app.post('/login', async (req, res) => {"), 'POST /login')
  assert.equal(routeIn('  router.use(`/api`, (req) => {'), 'use /api')
  for (const line of [undefined, '', 'const get = (a) => a', 'map.get(key)', "server.on('after', () => {"]) {
    assert.equal(routeIn(line), null)
  }

  const profile = readCpuProfile(rawProfile([{ stack: [['', server, 7]], ms: 20 }]), { dir })
  const routeAt = (/** @type {string} */ place) => place === 'server.js:7' ? 'POST /login' : null
  const { views } = dataOf(flamePage({
    title: '', sentences: [], after: { answers: 1, threads: [{ title: '', profile }], routeAt }
  }))
  assert.equal(views[0].tree.children[0].name, 'POST /login')
})
