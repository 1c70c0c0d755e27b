import assert from 'node:assert/strict'
import test from 'node:test'
import { limitIn } from '../../runner/process/machine.js'

const read = (/** @type {Record<string, string>} */ files) => (/** @type {string} */ file) => files[file] ?? null

test('the quota of a container is read in both versions of control groups', () => {
  assert.equal(limitIn(read({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' })), 1.5)
  assert.equal(limitIn(read({
    '/proc/self/cgroup': '4:cpu,cpuacct:/docker/abc\n2:memory:/docker/abc\n',
    '/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us': '50000\n',
    '/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us': '100000\n'
  })), 0.5)
})

test('the tightest limit counts, of the group and of those around it', () => {
  assert.equal(limitIn(read({
    '/proc/self/cgroup': '0::/a/b\n',
    '/sys/fs/cgroup/a/b/cpu.max': 'max 100000\n',
    '/sys/fs/cgroup/a/cpu.max': '200000 100000\n',
    '/sys/fs/cgroup/cpu.max': '300000 100000\n'
  })), 2)
})

test('no quota, no control groups and no /proc are no limit', () => {
  assert.equal(limitIn(read({})), null)
  assert.equal(limitIn(read({ '/proc/self/cgroup': '1:cpu:/\n', '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1' })), null)
  assert.equal(limitIn(read({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000' })), null)
})
