import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { probeSandbox } from '../../runner/sandbox/index.js'
import { candidates } from '../../runner/sandbox/groups.js'
import { setVariables } from '../environment.js'

test('without a sandbox nothing is run, unless it is trusted, and then nothing counts as enforced', async (t) => {
  setVariables(t, { PATH: '' })
  await assert.rejects(probeSandbox(), /^WorkshopError: There is no sandbox .* With --no-sandbox it runs without one/)
  const { kind, enforced, missing } = await probeSandbox({ isOptional: true })
  assert.deepEqual([kind, enforced], ['none', []])
  assert.ok(missing.length > 3)
  const left = fs.existsSync('/sys/fs/cgroup') ? fs.readdirSync('/sys/fs/cgroup') : []
  assert.deepEqual(left.filter((name) => name.endsWith(`probe-${process.pid}`)), [])
})

test('groups are looked for where we are, and above that, in both versions of the system', () => {
  const places = (/** @type {string} */ text) => candidates(text).map(({ parent, bounds }) => [parent, ...bounds])
  assert.deepEqual(places('0::/user.slice/a.scope\n'), [
    ['/sys/fs/cgroup/user.slice/a.scope', 'processes', 'memory'],
    ['/sys/fs/cgroup/user.slice', 'processes', 'memory'],
    ['/sys/fs/cgroup', 'processes', 'memory']
  ])
  assert.deepEqual(places('8:pids:/\n4:memory:/a\n1:name=systemd:/\n2:cpu,cpuacct:/\n'), [
    ['/sys/fs/cgroup/pids', 'processes'],
    ['/sys/fs/cgroup/memory/a', 'memory'],
    ['/sys/fs/cgroup/memory', 'memory']
  ])
})
