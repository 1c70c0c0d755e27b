import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { requireKnownFormat } from '../../runner/lesson/find.js'
import { temporaryFolder } from '../temporary.js'

test('a pack of this format is read, and so is one that says none', (t) => {
  const root = temporaryFolder(t)
  requireKnownFormat(root)
  for (const text of ['{}', '{"make-it-fast":{}}', '{"make-it-fast":{"formatVersion":1}}']) {
    fs.writeFileSync(path.join(root, 'package.json'), text)
    requireKnownFormat(root)
  }
})

test('another format, or a package.json that is damaged, is refused with the way out', (t) => {
  const root = temporaryFolder(t)
  const refused = (/** @type {string} */ text, /** @type {RegExp} */ sentence) => {
    fs.writeFileSync(path.join(root, 'package.json'), text)
    assert.throws(() => requireKnownFormat(root), { name: 'WorkshopError', message: sentence })
  }
  refused('{"make-it-fast":{"formatVersion":2}}', /lesson pack of format 2, .* reads format 1: update the workshop/)
  refused('{"make-it-fast":', /package\.json can't be read: .* Correct it, or remove it\./)
  refused('[', /can't be read/)
  refused('7', /holds no JSON object/)
})
