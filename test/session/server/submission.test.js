import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { WorkshopError } from '../../../runner/shared/errors.js'
import { newRunMarker } from '../../../runner/process/index.js'
import { openSubmission } from '../../../runner/process/run-folder.js'
import { startServer } from '../../../runner/process/start-server.js'
import { temporaryFolder } from '../../temporary.js'
import { serverFolder, sources } from './servers.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('a folder that is not there, a file, and a folder without server.js are each told apart', (t) => {
  const scratch = temporaryFolder(t)
  const dir = serverFolder(t, sources.good)
  const open = (/** @type {string} */ place) => openSubmission(place, { root, scratch })
  assert.throws(
    () => open(path.join(dir, 'nowhere')),
    (error) => error instanceof WorkshopError && /There is no folder/.test(error.message)
  )
  assert.throws(() => open(path.join(dir, 'server.js')), /is a file\. Give --server the folder/)
  fs.rmSync(path.join(dir, 'server.js'))
  assert.throws(() => open(dir), /There is no server\.js in/)
})

test('a folder inside the workshop runs where it is', (t) => {
  const place = path.join(root, 'solutions', '03-in-memory-json')
  assert.equal(openSubmission(place, { root, scratch: temporaryFolder(t) }).dir, fs.realpathSync(place))
})

test('a folder outside finds the workshop’s packages, from CommonJS and from an ES module', async (t) => {
  const start = "express().get('/', (q, r) => r.send('ok')).listen(process.env.PORT, process.env.HOST)"
  for (const [type, source] of [
    ['commonjs', `const express = require('express')\n${start}`],
    ['module', `import express from 'express'\n${start}`]
  ]) {
    const given = serverFolder(t, source, { 'package.json': `{"type":"${type}"}` })
    const { dir, shownDir } = openSubmission(given, { root, scratch: temporaryFolder(t) })
    const { server, failure } = await startServer({
      dir,
      shownDir,
      role: 'yours',
      dataDir: dir,
      runMarker: newRunMarker()
    })
    assert.equal(failure, null)
    assert.equal(await (await fetch(server.origin)).text(), 'ok')
    await server.stop()
    assert.equal(fs.existsSync(path.join(given, 'node_modules')), false, 'the learner’s folder is left as it was')
  }
})

test('a folder outside finds its own packages first', async (t) => {
  const given = serverFolder(
    t,
    "require('http').createServer((q, r) => r.end(require('express'))).listen(process.env.PORT, process.env.HOST)"
  )
  fs.mkdirSync(path.join(given, 'node_modules', 'express'), { recursive: true })
  fs.writeFileSync(path.join(given, 'node_modules', 'express', 'index.js'), 'module.exports = "its own"')
  const { dir, shownDir } = openSubmission(given, { root, scratch: temporaryFolder(t) })
  const { server } = await startServer({ dir, shownDir, role: 'yours', dataDir: dir, runMarker: newRunMarker() })
  assert.ok(server)
  assert.equal(await (await fetch(server.origin)).text(), 'its own')
  await server.stop()
})

test('a server of a lesson pack finds the packages of its pack, then the workshop’s', async (t) => {
  const pack = serverFolder(
    t,
    "import express from 'express'\nimport own from 'own'\n" +
      'express().get(\'/\', (q, r) => r.send(own)).listen(process.env.PORT, process.env.HOST)',
    { 'package.json': '{"type":"module"}' }
  )
  fs.mkdirSync(path.join(pack, 'node_modules', 'own'), { recursive: true })
  fs.writeFileSync(path.join(pack, 'node_modules', 'own', 'index.js'), 'module.exports = "its pack’s"')
  const given = path.join(pack, 'workspace', '01-x')
  fs.mkdirSync(given, { recursive: true })
  fs.renameSync(path.join(pack, 'server.js'), path.join(given, 'server.js'))
  const { dir, shownDir } = openSubmission(given, { root: pack, scratch: temporaryFolder(t) })
  const { server, failure } =
    await startServer({ dir, shownDir, role: 'yours', dataDir: dir, runMarker: newRunMarker() })
  assert.equal(failure, null)
  assert.equal(await (await fetch(server.origin)).text(), 'its pack’s')
  await server.stop()
})

test('a folder that is far too large is refused', (t) => {
  const given = serverFolder(t, sources.good)
  fs.truncateSync(path.join(given, 'package.json'), 60 * 1024 * 1024)
  assert.throws(() => openSubmission(given, { root, scratch: temporaryFolder(t) }), /more than 50 MB/)
})
