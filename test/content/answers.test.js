import assert from 'node:assert/strict'
import test from 'node:test'
import { jsonType, leadsTo } from '../../lessons/shared/answers.js'

test('JSON may name its charset, if it is the right one', () => {
  const json = 'application/json'
  for (const type of [json, `${json}; charset=utf-8`, `${json};charset=UTF-8`, 'Application/JSON ; charset="utf-8"']) {
    assert.match(type, jsonType)
  }
  for (const type of ['', 'text/html', 'text/json', `${json}; charset=latin1`, `${json}p`, `${json}+x`, `x ${json}`]) {
    assert.doesNotMatch(type, jsonType)
  }
})

test('a Location may be absolute or relative', () => {
  const [path, host] = ['/movies/7', '127.0.0.1:3000']
  for (const location of [path, `http://${host}${path}`, `//shop.example${path}`, 'movies/7', './movies/7']) {
    assert.ok(leadsTo(location, '/movies', path), location)
  }
  for (const location of [
    undefined, '', '/movies', '/movies/70', '/movies/7?a', '7', 'file:///movies/7', 'http://', '/api/movies/7'
  ]) {
    assert.ok(!leadsTo(location, '/movies', path), location)
  }
})
