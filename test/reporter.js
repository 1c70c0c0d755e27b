/**
 * A reporter of node:test: one line of JSON for each test that has ended.
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
