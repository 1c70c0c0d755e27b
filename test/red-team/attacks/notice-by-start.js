import fs from 'node:fs'
import { cheatWhen } from './shared/cheat.js'

// The first process is for the contract, the later ones are for the load.
const file = new URL('starts.txt', import.meta.url)
fs.appendFileSync(file, '.')
const start = fs.readFileSync(file, 'utf8').length
cheatWhen(() => start > 1)
