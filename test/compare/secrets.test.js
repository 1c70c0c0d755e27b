import assert from 'node:assert/strict'
import test from 'node:test'
import { compareAnswers, differs } from '../../compare/differences.js'
import { isSecret } from '../../compare/secrets.js'
import { createLogReader, entriesOfHar } from '../../compare/recordings.js'
import { gather } from '../../compare/write-load-file.js'

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'

test('names of secrets, and names that only look like them', () => {
  const secrets = ['Authorization', 'authorization', 'Proxy-Authorization', 'X-Auth', 'oauth', 'jwt', 'bearer', 'sig',
    'X-Signature', 'passphrase', 'pass', 'pin', 'csrf', 'X-CSRF-Token', 'credential', 'privateKey', 'private_key',
    'accessKey', 'key', 'apikey', 'api_key', 'otp', 'code', 'ticket', 'PHPSESSID', 'sid', 'token', 'password',
    'items[3].authToken', 'session']
  assert.deepEqual(secrets.filter((name) => !isSecret(name)), [])
  const plain = ['author', 'authors', 'authorId', 'co_author', 'statusCode', 'country_code', 'monkey', 'pinned',
    'email', 'significant', 'passenger', 'items[3].title', 'tickets', 'keyboard']
  assert.deepEqual(plain.filter(isSecret), [])
})

test('a report shows no value of a secret, of a header that says who asks, or of a token in a path', () => {
  const headers = { Authorization: 'Bearer live-1', 'X-Sig': 'live-2', 'X-Client': 'live-3', Accept: 'text/html' }
  const path = `/reset/4f1c9e0f2b/live?api_key=live-4&page=2&next=${jwt}`
  const request = { method: 'POST', path, headers, body: { jwt: 'live-5' } }
  const filled = { ...request, body: '{"jwt":"live-5"}', key: '', request, inputs: {} }
  const difference = { place: 'the status', what: 'status', path: '', before: '200', after: '401' }
  const { message, requests } = differs(['a', 'b'], filled, difference)
  assert.match(message, /^The answers to POST \/reset\/…\/live\?api_key=…&page=2&next=… differ in the status: a /)
  const line = requests[1]
  assert.doesNotMatch([message, ...requests].join(), /live-|eyJ|4f1c9/)
  const shown = ['page=2', 'Accept: text/html', 'Authorization: …', 'X-Client: …']
  assert.deepEqual(shown.filter((one) => !line.includes(one)), [])
})

test('a difference shows no secret', () => {
  const answer = (/** @type {object} */ json, more = {}) => ({
    status: 200,
    headers: { 'content-type': 'application/json', ...more },
    cookies: [],
    body: Buffer.from(JSON.stringify(json))
  })
  const seen = (/** @type {any} */ a, /** @type {any} */ b) => {
    const found = compareAnswers(a, b)
    return [found?.before, found?.after]
  }
  for (const name of ['jwt', 'otp', 'privateKey', 'signature']) {
    assert.deepEqual(seen(answer({ [name]: 'a' }), answer({ [name]: 'b' })), ['one value', 'another'])
  }
  assert.deepEqual(seen(answer({ n: 1 }), answer({ n: 2 })), ['1', '2'])
  assert.deepEqual(seen(answer({ n: { pin: 1 } }), answer({ n: 2 })), ['one value', 'another'])
  assert.deepEqual(seen(answer({ link: `x ${jwt}` }), answer({ link: 'x' })), ['"x …"', '"x"'])
})

test('what is imported holds no secret', async () => {
  const paths = ['/x?key=a', '/x?sig=a&se=1', '/cb?code=a', '/x?otp=1', '/x?ticket=a', '/reset/4f1c9e0f2b', '/x?jwt=a',
    '/x;PHPSESSID=a', '/x?Authorization=a', '/x?p%61ssword=a', '/x?u%5Bpass%5D=a', '/hooks/xoxb-123-abc',
    '/sso?SAMLResponse=a', '/x?hmac=a', '/x?contrase%C3%B1a=a', `/x?y=${jwt}`, '/f/aB3dE6gH9jK2mN5pQ8sT1',
    `/f/${'0123456789abcdef'.repeat(2)}`]
  const kept = ['/x?author=a', '/movies/6f1c9e0f-2b1c-4d3e-8f5a-6b7c8d9e0f1a', '/posts/10-ways-to-cook-an-egg-in-2024',
    '/id/507f1f77bcf86cd799439011']
  const entries = [...paths, ...kept].map((path) =>
    ({ request: { method: 'GET', url: `http://h${path}`, headers: [] }, response: { status: 200 } }))
  const sent = (/** @type {string} */ text) => ({
    request: { method: 'POST', url: 'http://h/in', headers: [], postData: { mimeType: 'application/json', text } },
    response: { status: 200 }
  })
  const bodies = ['{"authorization":"a"}', '{"a":[{"otp":"1"}]}', 'user=a&pin=1', `{"a":"${jwt}"}`, '"passphrase" : 1',
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--x--', '<login><pass>x</pass></login>',
    '{"query":"mutation { login(user: \\"ada\\", password: \\"x\\") { id } }"}', '{"cardNumber":"4111","cvv":"1"}',
    'grant_type=a&code=b', '<a:Password Type="x">b</a:Password>']
  const har = { log: { entries: [...entries, ...bodies.map(sent), sent('{"author":"a"}'), sent('<q>red</q>')] } }
  const { load, leftOut } = await gather(entriesOfHar(har))
  assert.deepEqual(leftOut, new Map([['that seem to hold a secret', paths.length + bodies.length]]))
  assert.equal(load.requests.length, kept.length + 2)
})

test('a line that a stranger wrote into a log is looked through once', async () => {
  const many = 2 ** 17
  // With a search from each of its signs to the last one, each would take minutes.
  const signs = [';', '&', '?a', 'token', 'eyJ-', 'eyJaaaaa', 'a=', '/', '/a', '"', '/login/1']
  const { take } = createLogReader()
  const { load } = await gather(signs.flatMap((sign) =>
    take(`1.2.3.4 - - [x] "GET /?${sign.repeat(many)} HTTP/1.1" 200 1`)))
  assert.equal(load.requests.length, 11)
  const endless = ['"GET /', '"', '\\x16', '" 2', '{"a":', '"-" 4'].map((sign) => take(sign.repeat(many)))
  assert.deepEqual(new Set(endless.flat()), new Set(['whose lines have no known format']))
})
