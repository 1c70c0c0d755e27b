import assert from 'node:assert/strict'
import test from 'node:test'
import { judgeGate } from 'make-it-fast/judge'
import { parallelGates } from '../../lessons/shared/parallel-gates.js'

const gates = parallelGates({ name: 'logins', load: 'login', most: 2, lookAtRate: 'Where?', lookAtUse: 'How many?' })

/** @param {import('make-it-fast/judge').Machine} machine @returns {(number | string | null)[]} targets, or why none */
function targetsOn (machine) {
  return gates.map((gate) => {
    const { verdict, target, note } = judgeGate(gate, { tellsUse: true, ...machine }, [])
    return verdict === 'dropped' ? note : target
  })
}

test('a rate is asked for only where two threads get more done than one, and use of two cores where there are', () => {
  const [noRate, noUse] = gates.map(({ dropped }) => dropped)
  assert.deepEqual(targetsOn({ cores: 2, gain: 1.95 }), [1.05, 1.4])
  assert.deepEqual(targetsOn({ cores: 2, gain: 1.3 }), [noRate, 1.4])
  assert.deepEqual(targetsOn({ cores: 1, gain: 1 }), [noRate, noUse])
  assert.deepEqual(targetsOn({ cores: 2 }), [1.05, 1.4], 'before anything was measured')
  assert.deepEqual(targetsOn({ cores: 64, gain: 2 }), [2, 1.4], 'no more than its threads can do')
})

test('where the system doesn’t tell the use of cores, the rate decides, however little the second core brings', () => {
  const [rate, use] = targetsOn({ cores: 2, gain: 1.3, tellsUse: false })
  assert.equal(rate, 1.05)
  assert.match(String(use), /doesn’t report/)
})
