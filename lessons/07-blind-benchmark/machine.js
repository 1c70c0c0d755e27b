/** @import { Random } from '../../runner/lesson/index.js' */

/**
 * The simulated machine behind a server of this lesson, as its machine.json describes it.
 *
 * @param {Random} random both servers of a pair get the same numbers, so they
 *   have the same weather
 * @param {number} slowness
 */
export function makeMachine (random, slowness) {
  return {
    serviceMs: 2.5 * slowness,
    rare: { share: 0.01, factor: 3 },
    coldMs: 350,
    coldStepMs: 40,
    weather: makeWeather(random)
  }
}

/** Stretches that are calm and rough in turn, and begin again from the first. @param {Random} random */
function makeWeather (random) {
  return Array.from({ length: 50 }, (_, index) => ({
    ms: random.int(400, 1400),
    factor: index % 2 === 0 ? between(random, 1, 1.3) : between(random, 1.7, 2.3)
  }))
}

/** @param {Random} random @param {number} low @param {number} high */
function between (random, low, high) {
  return low + (high - low) * random.next()
}
