import assert from 'node:assert/strict'
import test from 'node:test'
import { jsonType, leadsTo } from '../../lessons/shared/answers.js'

test('JSON may name its charset, if it is the right one', () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; charset="utf-8"'
  ]) {
    assert.match(type, jsonType)
  }
  for (const type of [
    '',
    'text/html',
    'text/json',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/json+x',
    'x application/json'
  ]) {
    assert.doesNotMatch(type, jsonType)
  }
})

test('a Location may be absolute or relative', () => {
  for (const location of [
    '/movies/7',
    'http://127.0.0.1:3000/movies/7',
    '//shop.example/movies/7',
    'movies/7',
    './movies/7'
  ]) {
    assert.ok(leadsTo(location, '/movies', '/movies/7'), location)
  }
  for (const location of [
    undefined,
    '',
    '/movies',
    '/movies/70',
    '/movies/7?a',
    '7',
    'file:///movies/7',
    'http://',
    '/api/movies/7'
  ]) {
    assert.ok(!leadsTo(location, '/movies', '/movies/7'), location)
  }
})
