import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { readImports, moduleOf, modules } from './imports.js'

/** docs/architecture.md says which module may import which. Here it is held against what they do. */

const root = new URL('../../', import.meta.url)
const text = fs.readFileSync(new URL('docs/architecture.md', root), 'utf8')
/** What each module may import, from the table. @type {Map<string, string[]>} */
const allowed = new Map([...text.matchAll(/^\| `(\w+)\/` \|.*\| ([^|]*) \|$/gm)]
  .map(([, module, arrows]) => [module, [...arrows.matchAll(/`(\w+)\/`/g)].map(([, other]) => other)]))
/** child.js is for processes that a run starts, browser.js for browsers, command.js for the command line. */
const doors = ['index.js', 'child.js', 'browser.js', 'command.js']
/** `cli/` loads a product's command only when it's given, and the command imports what `cli/` has for all. */
const imports = readImports().filter(({ from, to }) => moduleOf(from) !== 'cli' ||
  !/^commands\/|\/command\.js$/.test(to))

test('something was read', () => {
  assert.ok(imports.length > 500, `${imports.length} imports`)
  assert.ok(imports.some(({ from, to }) => from === 'load/generator.js' && to === 'process/child.js'))
})

test('the table has every module, and there are at most twenty', () => {
  assert.deepEqual([...allowed.keys()].sort(), modules().sort())
  assert.ok(allowed.size <= 20)
})

test('every import between two modules goes through the door', () => {
  const around = between().filter(({ to }) => !isDoor(to)).map(({ from, to }) => `${from} → ${to}`)
  assert.deepEqual(around, [])
})

test('the modules import what the table allows, and all of it', () => {
  for (const [module, arrows] of allowed) {
    const real = new Set(between().filter(({ from }) => moduleOf(from) === module).map(({ to }) => moduleOf(to)))
    assert.deepEqual([...real].sort(), [...arrows].sort(), `${module}/`)
  }
})

test('files at the top of runner/ and in shared/ import no module', () => {
  const reaching = imports.filter(({ from, to }) => moduleOf(from) === null && moduleOf(to) !== null)
  assert.deepEqual(reaching.filter(({ from }) => from !== 'cli.js').map(({ from, to }) => `${from} → ${to}`), [])
})

test('no module reaches back: what it imports never imports it', () => {
  for (const module of allowed.keys()) assert.ok(!reachable(module).has(module), `${module}/ reaches itself`)
})

test('no files of a module import each other in a circle, types included', () => {
  assert.deepEqual(circles(imports.filter(({ from, to }) => moduleOf(from) === moduleOf(to))), [])
})

test('the diagram shows the arrows of the table that no longer path implies', () => {
  const drawn = [...text.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} --> ${to}`)
  const needed = [...allowed].flatMap(([module, arrows]) => arrows
    .filter((other) => !arrows.some((way) => way !== other && reachable(way).has(other)))
    .map((other) => `${module} --> ${other}`))
  assert.deepEqual(drawn.sort(), needed.sort())
})

test('every file of the engine, its tests and measurements that the docs name is there', () => {
  const docs = fs.readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .flatMap((name) => name.endsWith('.md') ? [`docs/${name}`] : [])
  const named = ['CONTRIBUTING.md', ...docs].flatMap((name) => {
    const places = fs.readFileSync(new URL(name, root), 'utf8').matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)
    // In these, `judge/record.js` is runner/judge/record.js.
    const isOfEngine = /architecture|engine/.test(name)
    return [...places].map(([, place]) => {
      if (!isOfEngine || !modules().includes(place.split('/')[0]) || fs.existsSync(new URL(place, root))) return place
      return fs.existsSync(new URL(`classroom/${place}`, root)) ? `classroom/${place}` : `runner/${place}`
    })
  }).filter((place) => /^(runner|classroom|compare|test|bench)\//.test(place) && !place.includes('NN-'))
  assert.ok(named.length > 100, `${named.length} places`)
  assert.deepEqual(named.filter((place) => !fs.existsSync(new URL(place, root))), [])
})

/**
 * Files from which a way of imports leads back to them.
 *
 * @param {import('./imports.js').Import[]} all
 * @returns {string[][]} each circle once, in alphabetical order
 */
function circles (all) {
  /** @type {Map<string, Set<string>>} */
  const next = new Map()
  for (const { from, to } of all) next.set(from, (next.get(from) ?? new Set()).add(to))
  const reachedFrom = (/** @type {string} */ start) => {
    const seen = new Set()
    const waiting = [start]
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const other of next.get(file) ?? []) if (!seen.has(other)) waiting.push(...seen.add(other) && [other])
    }
    return seen
  }
  const reached = new Map([...next.keys()].map((file) => [file, reachedFrom(file)]))
  const groups = [...reached].filter(([file, files]) => files.has(file))
    .map(([file, files]) => [...files].filter((other) => reached.get(other)?.has(file)).sort().join())
  return [...new Set(groups)].map((group) => group.split(','))
}

/** Imports from one module into another. */
function between () {
  const ofModules = imports.filter(({ from, to }) => moduleOf(from) !== null && moduleOf(to) !== null)
  return ofModules.filter(({ from, to }) => moduleOf(from) !== moduleOf(to))
}

/** @param {string} file */
function isDoor (file) {
  const [, ...rest] = file.split('/')
  return rest.length === 1 && doors.includes(rest[0])
}

/** All modules to which a way leads. @param {string} module @param {Set<string>} [seen] @returns {Set<string>} */
function reachable (module, seen = new Set()) {
  for (const other of allowed.get(module) ?? []) {
    if (seen.has(other)) continue
    seen.add(other)
    reachable(other, seen)
  }
  return seen
}
