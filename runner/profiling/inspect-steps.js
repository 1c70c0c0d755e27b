/**
 * The way into Chrome DevTools, as lines for the terminal. Pure.
 *
 * @param {{ address: string, title: string }} given address: `ws://127.0.0.1:9229/…`
 * @returns {string[]}
 */
export function inspectSteps ({ address, title }) {
  const { host } = new URL(address)
  return [
    `${title} is under load; its inspector listens on ${host}, on this machine only.`,
    '',
    '  1. Open Chrome or Edge, go to chrome://inspect and press Configure…',
    `  2. Add ${host} and press Done. Under Remote Target, server.js appears: press inspect.`,
    `     Or give the browser this address: devtools://devtools/bundled/js_app.html?ws=${address.replace('ws://', '')}`,
    '  3. Performance panel: record for about five seconds, then stop. Look at Bottom-up, sorted by self time.',
    '     Which of your functions is next to the largest line? How long is the longest task in Main?',
    '  4. Memory panel: take a heap snapshot, wait ten seconds, take another, choose Comparison.',
    '     Which constructor has many more objects than before (# Delta), and who holds them (Retainers)?',
    '  5. Memory panel, Allocation sampling: record for a while under load.',
    '     Which function allocates most for one request, and is it needed afterwards?',
    '',
    'The load goes on until Ctrl-C. Take no figures from this: an open inspector makes a server slower.'
  ]
}
