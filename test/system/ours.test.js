import assert from 'node:assert/strict'
import test from 'node:test'
import { markerOf, newRunMarker, provenOurs } from '../../runner/process/signals.js'
import { fc } from '../properties.js'

/** @import { Proof } from '../../runner/process/signals.js' */

const marker = markerOf('run', newRunMarker())
const others = markerOf('run', newRunMarker())

/**
 * A small machine: 1 is init, 10 a shell, 20 the check, 30 a server of it.
 *
 * @type {Record<number, { parent: number, group?: number, start?: number, environment?: string | null }>}
 */
const machine = {
  1: { parent: 0, start: 0 },
  10: { parent: 1, start: 5 },
  20: { parent: 10, start: 50 },
  30: { parent: 20, start: 60, environment: `A=1\0${marker}\0` }
}

/**
 * @param {typeof machine} processes
 * @param {Partial<Proof> & { self?: number }} [given]
 */
function ours (processes, { noted = [], markers = [marker], leaders, self = 20 } = {}) {
  const table = Object.entries(processes).map(([pid, { parent, group = Number(pid), start = 100 }]) => ({
    pid: Number(pid),
    parent,
    group,
    start,
    state: 'S'
  }))
  return provenOurs(
    table,
    { noted, markers, leaders },
    { self, environmentOf: (pid) => processes[pid]?.environment ?? null }
  )
    .map(({ pid }) => pid)
    .sort((a, b) => a - b)
}

test('ours is what carries the marker, and what is below it', () => {
  assert.deepEqual(
    ours({
      ...machine,
      40: { parent: 30 },
      41: { parent: 40, environment: '' },
      42: { parent: 1, environment: `${marker}\0` }
    }),
    [30, 40, 41, 42]
  )
})

test('without marker and without a noted process nothing is ours', () => {
  assert.deepEqual(ours(machine, { markers: [] }), [])
  assert.deepEqual(ours(machine, { markers: [others] }), [])
})

test(
  'a bystander is not ours: a similar name, the marker of another run, an empty environment, an unreadable one',
  () => {
    assert.deepEqual(ours({
      ...machine,
      50: { parent: 10, environment: 'PATH=/bin\0' },
      51: { parent: 10, environment: `${others}\0` },
      52: { parent: 10, environment: '' },
      53: { parent: 10, environment: null },
      54: { parent: 10, environment: `X${marker}\0` },
      55: { parent: 20, environment: 'PATH=/bin\0' },
      56: { parent: 20, group: 20 }
    }), [30])
  }
)

test('what was noted is ours as long as its start is the one that was noted', () => {
  const plain = { ...machine, 60: { parent: 20, start: 70 } }
  assert.deepEqual(ours(plain, { markers: [], noted: [{ pid: 60, start: 70 }] }), [60])
  assert.deepEqual(ours(plain, { markers: [], noted: [{ pid: 60, start: 69 }] }), [], 'its pid is used again')
  assert.deepEqual(ours(plain, { markers: [], noted: [{ pid: 61, start: 70 }] }), [])
})

test('a process that began before its parent has only found the pid of one', () => {
  assert.deepEqual(ours({ ...machine, 40: { parent: 30, start: 59 }, 41: { parent: 30, start: 60 } }), [30, 41])
})

test('the process group is ours where its leader is, and only then', () => {
  const group = {
    70: { parent: 20, group: 70, start: 70 },
    71: { parent: 1, group: 70, start: 71 },
    72: { parent: 1, group: 70, start: 69 }
  }
  assert.deepEqual(ours({ ...machine, ...group }, { markers: [], noted: [{ pid: 70, start: 70 }] }), [70, 71])
  const { 70: _, ...withoutLeader } = group
  assert.deepEqual(ours({ ...machine, ...withoutLeader }, { markers: [], noted: [{ pid: 70, start: 70 }] }), [])
  // A server in the group of the check leads nothing.
  assert.deepEqual(
    ours(
      { ...machine, 73: { parent: 20, group: 20, start: 70 }, 74: { parent: 10, group: 20 } },
      { markers: [], noted: [{ pid: 73, start: 70 }] }
    ),
    [73]
  )
})

test('the group of a leader that has just ended is ours, unless its pid belongs to another process by now', () => {
  const left = {
    71: { parent: 1, group: 70, start: 71 },
    72: { parent: 1, group: 70, start: 69 },
    73: { parent: 71, group: 73, start: 75 },
    74: { parent: 1, group: 74, start: 80 }
  }
  const leaders = [{ pid: 70, start: 70 }]
  assert.deepEqual(ours({ ...machine, ...left }, { markers: [], leaders }), [71, 73])
  assert.deepEqual(
    ours({ ...machine, ...left, 70: { parent: 10, start: 70 } }, { markers: [], leaders }),
    [70, 71, 73],
    'it ends'
  )
  assert.deepEqual(ours({ ...machine, ...left, 70: { parent: 10, start: 79 } }, { markers: [], leaders }), [])
  for (const pid of [0, 1, 10, 20]) {
    assert.deepEqual(
      ours(
        { ...machine, 75: { parent: 1, group: pid, start: 80 } },
        { markers: [], leaders: [{ pid, start: machine[pid]?.start ?? 0 }] }
      ),
      [],
      `${pid} isn’t ours`
    )
  }
})

for (const pid of [0, 1, 20, 10, -30, -1, NaN, 1.5]) {
  test(`${pid} is never ours, whatever proves it`, () => {
    const marked = Object.fromEntries(
      Object.entries({ ...machine, 0: { parent: 0, start: 0 } }).map(([id, one]) => [
        id,
        { ...one, environment: `${marker}\0` }
      ])
    )
    const start = marked[pid]?.start ?? 100
    assert.ok(!ours(marked, { noted: [{ pid, start }] }).includes(pid))
  })
}

test('what we descend from is not ours, nor what is below that', () => {
  // A check that was itself started below a server of the same run: 30 → 31 is us.
  const nested = { ...machine, 31: { parent: 30, environment: `${marker}\0` }, 32: { parent: 30 }, 33: { parent: 31 } }
  assert.deepEqual(ours(nested, { self: 31, markers: [] }), [])
  assert.ok(!ours(nested, { self: 31 }).includes(30))
  assert.ok(!ours(nested, { self: 31 }).includes(31))
})

test('on any machine: never init, never ourselves, never our line, and nothing that no proof leads to', () => {
  const process = fc.record({
    parent: fc.integer({ min: 0, max: 12 }),
    group: fc.integer({ min: 0, max: 12 }),
    start: fc.integer({ min: 0, max: 5 }),
    environment: fc.constantFrom(null, '', 'A=\0', `${marker}\0`, `${others}\0`)
  })
  fc.assert(
    fc.property(
      fc.array(process, { minLength: 2, maxLength: 12 }),
      fc.array(fc.record({ pid: fc.integer({ min: -3, max: 12 }), start: fc.integer({ min: 0, max: 5 }) })),
      (list, noted) => {
        const processes = Object.fromEntries(list.map((one, at) => [at + 1, one]))
        const self = list.length
        const found = ours(processes, { noted, self })
        const line = [0, 1, self]
        for (const pid of line) {
          const parent = processes[pid]?.parent
          if (parent !== undefined && !line.includes(parent)) line.push(parent)
        }
        assert.deepEqual(found.filter((pid) => line.includes(pid)), [])
        // From each there is a way up, by parent or group, to one that is proven by itself.
        const proven = found.filter(
          (pid) =>
            processes[pid].environment === `${marker}\0` ||
            noted.some((one) => one.pid === pid && one.start === processes[pid].start)
        )
        const reached = new Set(proven)
        for (const one of reached) {
          for (const pid of found) if (processes[pid].parent === one || processes[pid].group === one) reached.add(pid)
        }
        assert.deepEqual(found.filter((pid) => !reached.has(pid)), [])
        if (proven.length === 0) assert.deepEqual(found, [])
      }
    )
  )
})
