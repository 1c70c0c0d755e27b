// What is slow here is the measurement: the profile that learners begin with.
export { default } from '../../lessons/07-blind-benchmark/start/load.js'
