import { cheatWhen } from './shared/cheat.js'

// What was right once is right for ever.
cheatWhen(() => true)
