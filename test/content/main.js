import { main } from '../../runner/cli/main.js'

/** `npm run check:content`: a command like those of the workshop, next to the tests that judge by the same rules. */
await main({
  argv: ['check-content', ...process.argv.slice(2)],
  commands: { 'check-content': () => import('./check-content.js') }
})
