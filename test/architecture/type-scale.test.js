import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'

test('all words of both sites have a size of the one scale', () => {
  const styles = ['runner/http', 'runner/web', 'classroom/room']
    .map((site) => new URL(`../../${site}/browser/`, import.meta.url))
    .flatMap((folder) => fs.readdirSync(folder).filter((name) => name.endsWith('.css'))
      .map((name) => ({ name, text: fs.readFileSync(new URL(name, folder), 'utf8') })))
  const scale = /var\(--(xs|s|m|l|xl|xxl|code)\)/
  const sizes = styles.flatMap(({ name, text }) =>
    [...text.matchAll(/[{;\s](?:font-size|font):\s*([^;}]+)/g)].map(([, value]) => ({ name, value: value.trim() })))
  assert.ok(sizes.length > 50)
  assert.deepEqual(sizes.filter(({ value }) => value !== 'inherit' && !scale.test(value)), [])
  const defined = styles.flatMap(({ name, text }) => [...text.matchAll(/--(xs|s|l|xl|xxl|code):/g)].map(() => name))
  assert.deepEqual(defined, Array(6).fill('style.css'), 'only --m is set in other places')
})
