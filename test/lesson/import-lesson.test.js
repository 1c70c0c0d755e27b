import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { importLesson, resolve, resolveNow } from '../../runner/shared/workshop.js'
import { temporaryFolder } from '../temporary.js'

/** @typedef {(name: string, context: any) => any} Next */

/** @param {import('node:test').TestContext} t @param {Record<string, string>} files @returns {string} of lesson.mjs */
function pack (t, files) {
  const root = temporaryFolder(t)
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  return pathToFileURL(path.join(root, 'lesson.mjs')).href
}

test('a lesson outside of the workshop finds its packages, and what it exports for lessons', async (t) => {
  const lesson = await importLesson(pack(t, {
    'lesson.mjs': `
      export { default as express } from 'express'
      export { jsonType } from 'make-it-fast/shared/answers.js'
      export { ContractError } from 'make-it-fast/contract'
      export { lines } from 'make-it-fast/submissions'
      export * from 'make-it-fast/lesson'`
  }))
  for (const name of ['express', 'ContractError', 'lines', 'findLessons']) assert.equal(typeof lesson[name], 'function')
  assert.ok(lesson.jsonType.test('application/json'))
})

test('its own packages come first', async (t) => {
  const lesson = await importLesson(pack(t, {
    'lesson.mjs': "export { default as express } from 'express'",
    'node_modules/express/package.json': '{"exports":"./index.mjs"}',
    'node_modules/express/index.mjs': "export default 'its own'"
  }))
  assert.equal(lesson.express, 'its own')
})

test('a missing package is reported at the import that names it', async (t) => {
  const url = pack(t, { 'lesson.mjs': "import 'a-package-of-no-name'" })
  await assert.rejects(importLesson(url), /Cannot find package 'a-package-of-no-name' imported from .+lesson\.mjs/)
  const lost = pack(t, { 'lesson.mjs': "import './lost.js'" })
  await assert.rejects(importLesson(lost), { code: 'ERR_MODULE_NOT_FOUND', message: /lost\.js/ })
})

// Only one of the two is at work, by the version of Node.js.
for (const [name, hook] of Object.entries({ resolve, resolveNow })) {
  test(`${name} asks the workshop only for packages that are not found otherwise`, async () => {
    /** @type {string[]} */
    const asked = []
    const ask = async (/** @type {string} */ specifier, /** @type {string} */ parentURL) => {
      /** @type {Next} */
      const next = (wanted, from) => {
        asked.push(`${wanted} for ${from.parentURL.split('/').at(-1)}`)
        const isFound = wanted === 'express' && from.parentURL.endsWith('package.json')
        const code = wanted === 'bad' ? 'ERR_BAD' : 'ERR_MODULE_NOT_FOUND'
        const error = Object.assign(new Error(wanted), { code })
        if (name === 'resolve') return isFound ? Promise.resolve('found') : Promise.reject(error)
        if (isFound) return 'found'
        throw error
      }
      return hook(specifier, { parentURL }, next)
    }
    assert.equal(await ask('express', 'file:///pack/lesson.js'), 'found')
    for (const lost of ['unknown', './lost.js', 'bad']) {
      await assert.rejects(ask(lost, 'file:///pack/lesson.js'), { message: lost })
    }
    assert.deepEqual(asked, [
      'express for lesson.js', 'express for package.json',
      'unknown for lesson.js', 'unknown for package.json',
      './lost.js for lesson.js',
      'bad for lesson.js'
    ])
  })
}
