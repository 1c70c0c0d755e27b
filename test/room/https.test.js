import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'
import test from 'node:test'
import { readPublic, readTls } from '../../classroom/commands/open-class.js'
import { temporaryFolder } from '../temporary.js'
import { unlessSkipped } from '../unless-skipped.js'
import { send } from '../web/open.js'
import { openTestRoom } from './open.js'

const publicOrigin = 'https://room.example'

test('behind a proxy, the public address is let in, printed and shown; other names are not', async (t) => {
  const { url, ask, secret, learners, code } = await openTestRoom(t, {
    publicOrigin, admissionLimits: { most: 60, perSecond: 0, perAddress: 1 }
  })
  assert.deepEqual(learners, [`${publicOrigin}/${code}`])
  const proxied = { Host: 'room.example', Origin: publicOrigin }
  const { status, text } = await send(url, 'GET', `/${code}`, { headers: proxied })
  assert.equal(status, 200)
  assert.ok(text.includes(`npm run join ${publicOrigin}/${code} -- --name &#34;Ada&#34;`))
  const wall = await send(url, 'GET', `/${code}/projector`, { headers: proxied })
  assert.match(wall.text, /<p class="address">room\.example\/<strong>/)
  const names = ['Ada', 'Grace', 'Linus'].map((name) => ({ code, name }))
  for (const body of names) assert.equal((await ask('POST', '/api/seats', body)).status, 201, 'all from one address')
  assert.equal((await ask('GET', '/api/class', undefined, secret)).status, 200)
  for (const stranger of [{ Host: 'room.example.evil' }, { Origin: 'http://room.example' }]) {
    const headers = { ...proxied, ...stranger }
    assert.equal((await send(url, 'GET', `/api/rooms/${code}`, { headers })).status, 403)
  }
})

test('what is no public address, or no certificate with its key, is one sentence', async (t) => {
  assert.equal(readPublic('HTTPS://Room.example:8443'), 'https://room.example:8443')
  const paths = ['https://room.example/path', 'https://a@room.example']
  for (const wrong of ['room.example', 'ftp://room.example', ...paths, '']) {
    assert.throws(() => readPublic(wrong), /--public takes the address under which others reach the room, such/)
  }
  const file = path.join(temporaryFolder(t), 'any.pem')
  fs.writeFileSync(file, 'no PEM')
  await assert.rejects(readTls(file, undefined), /--cert and --key go together/)
  await assert.rejects(readTls(file, `${file}.none`), /none cannot be read \(ENOENT\): name another one with --key\./)
  await assert.rejects(readTls(file, file), /are no certificate and its private key, both as PEM \(\w+\)/)
  assert.equal(await readTls(undefined, undefined), undefined)
})

const hasOpenssl = (process.env.PATH ?? '').split(path.delimiter)
  .some((dir) => fs.existsSync(path.join(dir, 'openssl')))

test('with a certificate the room speaks HTTPS, and nothing else',
  { skip: unlessSkipped(hasOpenssl, 'There is no openssl here: HTTPS was not tried.') }, async (t) => {
    const dir = temporaryFolder(t)
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(dir, name))
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1',
      '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const { url, code } = await openTestRoom(t, { tls: await readTls(cert, key) })
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+\/$/)
    const ca = fs.readFileSync(cert)
    const status = await new Promise((resolve, reject) => {
      https.get(new URL(code, url), { ca }, (res) => resolve(res.resume().statusCode)).on('error', reject)
    })
    assert.equal(status, 200)
    await assert.rejects(new Promise((resolve, reject) => {
      http.get(new URL(code, url.replace('https', 'http')), resolve).on('error', reject)
    }))
  })
