import { parseArgs } from 'node:util'
import { worker } from '../../classroom/commands/worker.js'
import { prepareAnswersOnly } from './answers-only.js'

/** `npm run worker` in a process of its own, but for what takes long: no speed is measured. */

const { values } = parseArgs({ options: worker.options })
process.on('disconnect', () => process.exit())
const stdout = { write: (/** @type {string} */ said) => process.send?.({ said }) }
const { signal } = new AbortController()
const given = { values, positionals: [], stdout, stderr: stdout, env: process.env, signal, runOther: async () => {} }
await worker.run(given, prepareAnswersOnly)
