import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { generatedFiles } from '../../bench/generate/files.js'
import { gateKinds } from '../../runner/judge/index.js'

const read = (/** @type {string} */ file) => fs.readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

for (const [file, text] of Object.entries(generatedFiles({ read, gateKinds }))) {
  test(`${file} is what \`npm run generate\` makes`, () => assert.equal(read(file), text))
}

test('a new kind of gate reaches the schema, the types and the docs', () => {
  const more = generatedFiles({ read, gateKinds: { ...gateKinds, patience: { ...gateKinds.rate, about: 'the wait' } } })
  for (const [file, text] of Object.entries(more)) assert.match(text, /patience/, file)
})

test('a new field reaches the types, and is sent only where the schema says so', () => {
  const schemaFile = 'runner/judge/result.schema.json'
  const schema = JSON.parse(read(schemaFile))
  schema.definitions.gateResult.properties.mood = { description: 'of the gate', type: 'string' }
  const types = () => generatedFiles({
    gateKinds,
    read: (file) => file === schemaFile ? JSON.stringify(schema) : read(file)
  })['runner/judge/record.js']
  assert.match(types(), /^ \* @property \{string\} \[mood\] of the gate$/m)
  assert.equal(types().split('mood').length, 2)
  schema.definitions.sentRecord.properties.gates.items.properties.mood = true
  assert.match(types(), /'reference' \| 'mood'>\[\]/)
})
