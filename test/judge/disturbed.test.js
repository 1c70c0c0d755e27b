import assert from 'node:assert/strict'
import test from 'node:test'
import { disturbance, isHandicap } from '../../runner/judge/slice-figures.js'

const quiet = { steal: 0, foreign: 0.02, busy: 0.9, waiting: 0, idleServer: 0 }

test('a quiet round counts', () => {
  assert.equal(disturbance([quiet, quiet]), null)
})

test('where the system tells nothing, every round counts', () => {
  assert.equal(disturbance([{ steal: null, foreign: null, busy: null, waiting: null, idleServer: null }]), null)
})

test('stolen CPU time disturbs, whichever server it hits', () => {
  assert.match(
    disturbance([quiet, { ...quiet, steal: 0.2 }])?.text ?? '',
    /20 % of the CPU time was taken by other virtual machines/
  )
  assert.equal(disturbance([{ ...quiet, steal: 0.2 }, quiet])?.cause, 'steal')
})

test('other programs disturb when the cores are full, not when there are cores to spare', () => {
  assert.equal(disturbance([quiet, { ...quiet, foreign: 1, busy: 0.99 }])?.cause, 'foreign')
  assert.equal(disturbance([quiet, { ...quiet, foreign: 1, busy: 0.4 }]), null)
})

test('the server that should be idle disturbs when it is not', () => {
  const found = disturbance([quiet, { ...quiet, idleServer: 0.9, foreign: 0.9, busy: 1 }])
  assert.equal(found?.cause, 'idle server')
  assert.match(found.text, /not being measured kept 90 % of a core busy/)
})

test('a server that was stopped by a signal disturbs, and a stopped baseline doesn’t help to pass', () => {
  const stopped = { ...quiet, stopped: true }
  assert.equal(disturbance([stopped, quiet])?.cause, 'stopped')
  assert.equal(isHandicap(stopped, quiet), false)
  assert.equal(isHandicap(quiet, stopped), true)
})

test('a round in which the slow server was interfered with doesn’t count', () => {
  const met = { ...quiet, interfered: 'another program was connected to it.' }
  assert.match(disturbance([met, quiet])?.text ?? '', /at the slow server: another program was connected to it$/)
  assert.match(disturbance([met, quiet], 'main')?.text ?? '', /^at main: another/)
  assert.equal(isHandicap(met, quiet), false)
  assert.equal(isHandicap(quiet, met), false)
})
