import assert from 'node:assert/strict'
import test from 'node:test'
import { namesOf, refusalOf } from '../../runner/http/guard.js'

const allowed = { ...namesOf(4000, {}), token: 'right' }
const page = { method: 'GET', isApi: false, host: '127.0.0.1:4000' }
const post = {
  ...page,
  method: 'POST',
  isApi: true,
  token: 'right',
  origin: 'http://127.0.0.1:4000',
  site: 'same-origin'
}

for (const [what, asked] of Object.entries({
  'a page by its number': page,
  'a page by its name': { ...page, host: 'LocalHost:4000' },
  'a page that a link elsewhere leads to': { ...page, site: 'cross-site' },
  'a call of a page of ours': post,
  'a call without the headers of a browser': { ...post, origin: undefined, site: undefined },
  'an address that was typed': { ...page, isApi: true, site: 'none' }
})) {
  test(`let in: ${what}`, () => assert.equal(refusalOf(asked, allowed), null))
}

for (const [what, asked, sentence] of /** @type {const} */ ([
  ['a name that resolves to us', { ...page, host: 'evil.example:4000' }, /open http:\/\/127\.0\.0\.1:4000\/ instead/],
  ['another port', { ...page, host: '127.0.0.1:4001' }, /isn’t available under that name/],
  ['no host at all', { ...page, host: undefined }, /isn’t available under that name/],
  ['another origin', { ...post, origin: 'http://evil.example' }, /Another site/],
  ['another port of this machine', { ...post, origin: 'http://127.0.0.1:5000' }, /Another site/],
  ['an origin that hides', { ...post, origin: 'null' }, /Another site/],
  ['a call from another site', { ...post, method: 'GET', site: 'cross-site' }, /Another site/],
  ['a call from another port', { ...post, method: 'GET', site: 'same-site' }, /Another site/],
  ['another token', { ...post, token: 'wrong' }, /reload it/],
  ['no token', { ...post, token: undefined }, /reload it/],
  ['no token, by another method', { ...post, method: 'DELETE', token: '' }, /reload it/]
])) {
  test(`refused: ${what}`, () => assert.match(refusalOf(asked, allowed) ?? '', sentence))
}

test('a port that browsers leave out, and HTTPS', () => {
  assert.deepEqual(namesOf(80, {}).hosts, ['127.0.0.1', 'localhost'])
  const hosts = ['room.example', '127.0.0.1', 'localhost']
  assert.deepEqual(namesOf(443, {}, { hosts: ['Room.example'], scheme: 'https' }),
    { hosts, origins: hosts.map((host) => `https://${host}`) })
  assert.equal(namesOf(80, {}, { scheme: 'https' }).origins[0], 'https://127.0.0.1:80')
})

test('in a codespace the name under which it forwards the port is ours, too', () => {
  const env = { CODESPACE_NAME: 'Fuzzy-fish', GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: 'app.github.dev' }
  const { hosts, origins } = namesOf(4000, env)
  assert.deepEqual(hosts, ['127.0.0.1:4000', 'localhost:4000', 'fuzzy-fish-4000.app.github.dev'])
  assert.equal(origins.at(-1), 'https://fuzzy-fish-4000.app.github.dev')
})
