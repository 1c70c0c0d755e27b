import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { parseAb } from '../../bench/tools/ab.js'
import { openRuns } from '../../bench/tools/runs.js'
import { parseWrk, scriptOf } from '../../bench/tools/wrk.js'
import { temporaryFolder } from '../temporary.js'

const wrk = `Running 1s test @ http://127.0.0.1:4555/x
  1 threads and 2 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   487.06us    1.14ms  10.59ms   89.49%
    Req/Sec    30.27k    11.57k   47.98k    60.00%
  30000 requests in 1.00s, 3.76MB read
  Non-2xx or 3xx responses: 300
Requests/sec:  30022.79
Transfer/sec:      3.75MB
`
const ab = `Complete requests:      200
Failed requests:        0
Non-2xx responses:      50
Keep-Alive requests:    200
Requests per second:    2407.75 [#/sec] (mean)
`

test('what wrk and ab print is read', () => {
  assert.deepEqual(parseWrk(wrk), { rate: 30022.79, otherStatus: 0.01 })
  assert.deepEqual(parseAb(ab), { rate: 2407.75, otherStatus: 0.25 })
})

test('lost connections and lines that are missing are no measurement', () => {
  assert.throws(
    () => parseWrk(`${wrk}  Socket errors: connect 0, read 3, write 0, timeout 0\n`),
    /wrk could not measure/
  )
  assert.throws(() => parseWrk('unable to connect'), /wrk could not measure: unable to connect/)
  assert.throws(() => parseAb('apr_socket_recv: Connection refused (111)'), /ab could not measure/)
})

test('ab without kept connections measures connections, and says so', () => {
  assert.throws(
    () => parseAb(ab.replace('Keep-Alive requests:    200', 'Keep-Alive requests:    0')),
    /connections are not kept/
  )
})

test('requests become a Lua script in which nothing can break out of a string', () => {
  const script = scriptOf([
    { method: 'POST', path: '/"]]x\n', headers: { 'X-A': 'é' }, json: { a: '"' }, check: () => undefined }
  ])
  assert.match(script, /wrk\.format\("POST","\\047\\034\\093\\093x\\010"/)
  assert.match(script, /\["X\\045A"\]="\\195\\169"/)
  assert.match(script, /"\\123\\034a\\034\\058\\034\\092\\034\\034\\125"/)
  assert.doesNotMatch(script.replace(/"[^"\n]*"/g, ''), /é/)
})

test('a measurement that was stopped goes on where it was', async (t) => {
  const file = path.join(temporaryFolder(t), 'runs.jsonl')
  let measured = 0
  const measure = async () => ++measured
  assert.deepEqual(await openRuns(file).gather({ ratio: 1 }, 2, measure), [1, 2])
  assert.deepEqual(await openRuns(file).gather({ ratio: 1 }, 3, measure), [1, 2, 3])
  assert.deepEqual(await openRuns(file).gather({ ratio: 2 }, 1, measure), [4])
  assert.deepEqual(await openRuns(undefined).gather({ ratio: 1 }, 1, measure), [5])
})
