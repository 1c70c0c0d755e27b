import { cheatWhen } from './shared/cheat.js'

// The first 60 requests are answered honestly.
let count = 0
cheatWhen(() => ++count > 60)
