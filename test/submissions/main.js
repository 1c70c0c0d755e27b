import { main } from '../../runner/cli/main.js'

/** `npm run check:submissions`: a command like those of the workshop, for authors. */
await main({
  argv: ['check-submissions', ...process.argv.slice(2)],
  commands: { 'check-submissions': () => import('./check-submissions.js') }
})
