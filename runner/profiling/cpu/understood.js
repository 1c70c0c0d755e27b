/**
 * @import { FunctionTime, Summary } from '../../inside/index.js'
 *
 * @typedef {object} CpuAnalysis
 * @property {Summary} summary of the thread with the most work
 * @property {FunctionTime[]} functions of all threads
 * @property {string[]} sentences
 */
export {}
