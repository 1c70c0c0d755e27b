import { cheatWhen } from './shared/cheat.js'
import { isKeptAlive } from './shared/kept-alive.js'

// The contract makes a connection for each request.
cheatWhen(isKeptAlive)
