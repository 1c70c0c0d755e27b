import { createWriteStream } from 'node:fs'

// The pipe is closed when the server ends, whatever it dies of; a signal to the whole group must not come before that.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})
process.stdin.pipe(createWriteStream(process.argv[2], { flags: 'a' }))
