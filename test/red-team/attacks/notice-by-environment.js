import { cheatWhen } from './shared/cheat.js'

// The servers of a check are numbered, and the load is not for the first ones.
const number = Number(/(\d+)$/.exec(process.env.DATA_DIR ?? '')?.[1])
const marker = Number(/(\d+)$/.exec(process.env.MAKE_IT_FAST_SERVER ?? '')?.[1])
cheatWhen(() => number > 2 && marker > 2)
