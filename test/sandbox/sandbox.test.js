import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { probeSandbox, refuseRoot } from '../../classroom/regrade/index.js'
import { candidates, hasRunOut, inGroup, removeGroups } from '../../classroom/regrade/groups.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { setVariables } from '../environment.js'
import { temporaryFolder } from '../temporary.js'
import { unlessSkipped } from '../unless-skipped.js'

const { kind } = await probeSandbox({ isOptional: true })
const skip = unlessSkipped(kind !== 'none', 'bubblewrap can’t work here: no sandbox was started')

test('without a sandbox nothing is run, unless it is trusted, and then nothing counts as enforced', async (t) => {
  setVariables(t, { PATH: '' })
  await assert.rejects(probeSandbox(), /^WorkshopError: There is no sandbox .* With --no-sandbox it runs without one/)
  const { kind, enforced, missing } = await probeSandbox({ isOptional: true })
  assert.deepEqual([kind, enforced], ['none', []])
  assert.ok(missing.length > 3)
  const left = fs.existsSync('/sys/fs/cgroup') ? fs.readdirSync('/sys/fs/cgroup') : []
  assert.deepEqual(left.filter((name) => name.endsWith(`probe-${process.pid}`)), [])
})

test('a sandbox that can’t do enough is refused, with the way out', async (t) => {
  const dir = temporaryFolder(t)
  const bwrap = (/** @type {string} */ script) =>
    fs.writeFileSync(path.join(dir, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  setVariables(t, { PATH: `${dir}:${process.env.PATH}` })
  bwrap('echo bubblewrap 0.4.1')
  await assert.rejects(probeSandbox(), /: bubblewrap 0\.4\.1 is too old: install bubblewrap 0\.8 or newer\. With --no/)
  bwrap('[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; echo "bwrap: No permissions" >&2; exit 1')
  await assert.rejects(probeSandbox(), /can’t work \(bwrap: No permissions\): does this system allow user namespaces\?/)
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
  t.after(() => Object.defineProperty(process, 'platform', platform))
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
  await assert.rejects(probeSandbox(), /: bubblewrap runs on Linux only: use a Linux machine or a virtual one\./)
})

test('other people’s code isn’t run as root, unless that is meant', () => {
  assert.throws(() => refuseRoot({}, 0), /^WorkshopError: Other people’s code isn’t run as root: use an ordinary/)
  refuseRoot({ MAKE_IT_FAST_AS_ROOT: '1' }, 0)
  refuseRoot({}, 1000)
})

for (const place of ['/usr/src', null]) {
  test(`a workshop below ${place ?? 'the temporary folder'} is hidden from submissions`, { skip }, async (t) => {
    const [dir, workshop] = [temporaryFolder(t), place ?? temporaryFolder(t)]
    fs.mkdirSync(path.join(dir, 'own', 'data'), { recursive: true })
    const script = `
      import { spawnSync } from 'node:child_process'
      import { innerArgs } from '${workshop}/classroom/regrade/bubblewrap.js'
      const args = innerArgs({ dir: '${dir}', dataDir: '${dir}/own/data', args: [], boundsProcesses: false })
      const { stdout, stderr } = spawnSync('bwrap', [...args, 'ls', '-A', '${workshop}'], { encoding: 'utf8' })
      console.log(JSON.stringify([stdout, stderr]))
    `
    const mounted = `mount --bind '${workshopRoot}' '${workshop}' && exec "$0" --input-type=module -e "$1"`
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', mounted, process.execPath, script],
      { encoding: 'utf8' })
    assert.deepEqual(JSON.parse(stdout || stderr), ['', ''])
  })
}

test('where no group can be made, systemd makes a scope of its own for each server', () => {
  const scope = { parent: '', version: /** @type {const} */ ('scope'), bounds: /** @type {const} */ (['memory']) }
  const most = { processes: 7, memoryBytes: 9 }
  const command = inGroup([{ ...scope, bounds: [...scope.bounds] }], 'make-it-fast-a-1', ['node', 'server.js'], most)
  assert.deepEqual(command.slice(2), [
    'systemd-run', '--user', '--scope', '--quiet', '--collect', '--unit=make-it-fast-a-1', '-p', 'TasksMax=7',
    '-p', 'MemoryMax=9', '-p', 'MemorySwapMax=0', '--', 'node', 'server.js'
  ])
})

test('what bounds the memory of a group says whether the system had to end something', { skip }, async (t) => {
  const { hierarchies } = await probeSandbox()
  if (!hierarchies.some(({ bounds }) => bounds.includes('memory'))) return t.skip('no group can be made here')
  const name = path.basename(temporaryFolder(t))
  const most = { processes: 64, memoryBytes: 64 * 1024 ** 2 }
  const run = (/** @type {string} */ code) => {
    const [command, ...args] = inGroup(hierarchies, name, [process.execPath, '-e', code], most)
    return spawnSync(command, args, { stdio: 'ignore' })
  }
  t.after(() => removeGroups(hierarchies, name))
  assert.equal(run('').status, 0)
  assert.equal(hasRunOut(hierarchies, name), false)
  await removeGroups(hierarchies, name)
  assert.equal(run('Buffer.alloc(256 * 1024 ** 2, 1)').signal, 'SIGKILL')
  assert.equal(hasRunOut(hierarchies, name), true)
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
