import { spawn } from 'node:child_process'

// The server ends at once, and a process without its marker goes on answering.
if (!process.env.LEFT_BEHIND) {
  const { MAKE_IT_FAST_RUN, MAKE_IT_FAST_SERVER, ...env } = process.env
  spawn('timeout', ['5', process.execPath, 'server.js'], {
    env: { ...env, LEFT_BEHIND: '1' },
    detached: true,
    stdio: 'ignore'
  }).unref()
  setTimeout(() => process.exit(0), 300)
  await new Promise(() => {})
}
