import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { WorkshopError } from '../../../runner/shared/errors.js'
import { homeName } from '../../../runner/profiling/clinic/enter-folder.js'
import {
  clinicCommand, clinicProblem, clinicSections, dataFolder, findClinic, findingIn, othersFolder, unseenBy
} from '../../../runner/profiling/tools/clinic.js'

const scratch = path.resolve('/tmp/100% scratch')
const given = {
  bin: '/clinic/bin.js',
  execPath: path.resolve('/opt/node/bin/node'),
  scratch,
  dir: path.resolve('/shop'),
  nodeArgs: ['--import=recorder'],
  searchPath: '/usr/bin'
}

describe('clinic’s command', () => {
  it('runs in a separate folder, with this Node.js for the server', () => {
    const { args, cwd, env } = clinicCommand({ ...given, name: 'doctor' })
    assert.equal(cwd, scratch)
    assert.deepEqual(args.slice(0, 6), [
      '/clinic/bin.js',
      'doctor',
      '--open=false',
      `--dest=${dataFolder(scratch)}`,
      '--',
      given.execPath
    ])
    assert.deepEqual(args.slice(-2), ['--import=recorder', path.join(given.dir, 'server.js')])
    assert.deepEqual(JSON.parse(env?.[homeName] ?? ''), { dir: given.dir, others: othersFolder(scratch) })
    assert.equal(env?.PATH, [path.dirname(given.execPath), '/usr/bin'].join(path.delimiter))
    assert.equal(env?.NO_INSIGHT, '1')
    assert.ok(!('NODE_OPTIONS' in (env ?? {})), 'clinic itself would read them')
  })

  it('writes nothing into the server’s folder', () => {
    const flags = (/** @type {string} */ name) =>
      clinicCommand({ ...given, name }).args.filter(
        (arg) => arg.startsWith('--trace-event') || arg.startsWith('--logfile')
      )
    // eslint-disable-next-line no-template-curly-in-string
    const traces = [`--trace-event-file-pattern=${path.join(scratch, 'node_trace.${rotation}.log')}`]
    assert.deepEqual(flags('doctor'), traces)
    assert.deepEqual(flags('bubbleprof'), traces)
    assert.deepEqual(flags('flame'), [`--logfile=${path.join(scratch.replace('%', '%%'), '%p-v8.log')}`])
    assert.deepEqual(flags('heapprofiler'), [])
  })

  it('is called by the name that it accepts where Node.js has another one', () => {
    assert.equal(clinicCommand({ ...given, name: 'flame', execPath: '/usr/bin/nodejs' }).args[5], 'node')
  })
})

describe('clinic', () => {
  it('says how it is installed where it is missing', () => {
    assert.throws(
      () => findClinic('flame', () => { throw new Error('Cannot find module') }),
      (error) => error instanceof WorkshopError && /`npm ci` brings it.*`--tool cpu` works without/.test(error.message)
    )
    assert.equal(
      findClinic('flame', () => path.join('/x', 'clinic', 'package.json')),
      path.join('/x', 'clinic', 'bin.js')
    )
  })

  it('has its errors told in a sentence', () => {
    assert.match(
      clinicProblem(
        'doctor',
        'To generate the report press: Ctrl + C\n    throw new Error\nError: clinic doctor does not support clustering.'
      ),
      /cluster.*`--tool cpu`/
    )
    assert.equal(
      clinicProblem('bubbleprof', 'Analysing data\nError: premature close'),
      'clinic bubbleprof wrote no page: Error: premature close. `--tool trace` shows much the same without it.'
    )
    assert.equal(
      clinicProblem('heapprofiler', ''),
      'clinic heapprofiler wrote no page. `--tool heap` shows much the same without it.'
    )
  })
})

describe('a page of clinic', () => {
  it('is explained, with a question to put to it', () => {
    for (const name of ['doctor', 'flame', 'bubbleprof', 'heapprofiler']) {
      const sections = clinicSections(name, { finding: null, unseen: null, problems: [] })
      const said = sections.filter(({ text = [] }) => text.length > 0)
      assert.deepEqual(said.map(({ title }) => title), ['It shows', 'Ask it'])
      assert.match(String(said[1].text), /\?$/)
    }
  })

  it('carries doctor’s finding', () => {
    assert.equal(findingIn('<script>{"issues":{}, "issueCategory":"event-loop"}</script>'), 'event-loop')
    assert.equal(findingIn('<html>'), null)
    assert.match(
      String(clinicSections('doctor', { finding: 'event-loop', unseen: null, problems: [] })[0].text),
      /suspects the event loop/
    )
    assert.deepEqual(clinicSections('doctor', { finding: 'toString', unseen: null, problems: [] })[0].text, [])
  })

  it('shows one thread: the others are named', () => {
    const main = { pid: 1, threadId: 0, main: true }
    assert.equal(unseenBy([main], 1), null)
    assert.match(
      String(unseenBy([main, { pid: 1, threadId: 1 }, { pid: 1, threadId: 2, main: false }], 1)),
      /has 2 worker threads besides/
    )
    assert.match(
      String(unseenBy([main, { pid: 1, threadId: 1, main: false }, { pid: 2, threadId: 0, main: true }], 1)),
      /has 1 worker thread and 1 further process besides/
    )
  })
})
