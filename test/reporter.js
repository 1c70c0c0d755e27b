import fs from 'node:fs'

/**
 * A reporter of node:test: one line of JSON for each test that has ended. When the process ends it adds the file's CPU
 * time to the file that MAKE_IT_FAST_CPU_FILE names.
 *
 * @typedef {{ name: string, outcome: 'passed' | 'failed' | 'skipped' }} Ended
 *
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function * jsonLines (events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const outcome = type === 'test:fail' ? 'failed' : data.skip === undefined ? 'passed' : 'skipped'
    yield `${JSON.stringify({ name: data.name, outcome })}\n`
  }
}

const place = process.env.MAKE_IT_FAST_CPU_FILE
delete process.env.MAKE_IT_FAST_CPU_FILE
process.on('exit', () => { if (place) fs.writeFileSync(place, String(cpuSeconds())) })

/** On Linux with the children that were waited for, proc_pid_stat(5); its ticks are hundredths of a second. */
function cpuSeconds () {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6
  const [, fields] = /\) (.*)/.exec(fs.readFileSync('/proc/self/stat', 'utf8')) ?? []
  return (fields ?? '').split(' ').slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
