export { describeMachine } from './describe.js'
export { cpuSnapshot, cpuBetween } from './cpu.js'
export { powerWarnings } from './power.js'
