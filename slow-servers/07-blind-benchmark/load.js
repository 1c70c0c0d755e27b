// What's slow here is the measurement: the load plan that learners begin with.
export { default } from '../../lessons/07-blind-benchmark/start/load.js'
