import { targetOf } from '../../judge/index.js'

/**
 * What a learner can expect of this machine, lesson by lesson.
 *
 * @import { Machine } from '../../judge/index.js'
 * @import { LoadedLesson } from '../../lesson/index.js'
 *
 * @typedef {object} Times how long the checks of the references took where the project measured them
 * @property {number} pace of that machine
 * @property {Record<string, number>} seconds by folder
 */

/** Of a check's time, so much is work; the rest is waiting, which takes as long everywhere. */
const workShare = 0.6
const longest = 70

/**
 * Pure.
 *
 * @param {readonly LoadedLesson[]} entries
 * @param {{ times: Times | null, pace: number, machine: Machine }} given pace: of this machine
 * @returns {{ lesson: string, text: string }[]}
 */
export function expectations (entries, { times, pace, machine }) {
  return entries.map(({ number, folder, lesson }) => {
    const there = times?.seconds[folder]
    const stretch = 1 - workShare + workShare * pace / (times?.pace ?? 1)
    const time = there === undefined ? [] : [`about ${Math.round(Math.min(longest, there * stretch))} s`]
    const hidden = lesson.gates.filter((gate) => targetOf(gate, machine) === undefined).map(({ name }) => name)
    const dropped = hidden.length === 0 ? [] : [`without ${hidden.map((name) => `“${name}”`).join(' and ')}`]
    return { lesson: `lesson ${number}`, text: [...time, ...dropped].join(', ') }
  })
}
