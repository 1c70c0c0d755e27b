import { headProblem, jsonIn } from '../shared/answers.js'
import { anyPlace, directions, expectedHeight, expectedRay, pathOf } from './terrain.js'

/**
 * @import { Item, Stream } from '../../runner/lesson/index.js'
 * @import { Terrain } from './terrain.js'
 *
 * @typedef {object} Model what the visits to one server must have been, seen from its clients
 * @property {number} sent panoramas requested so far; the end of a slice cuts some off, which may count or not
 * @property {number} highest the highest number in any answer so far
 * @property {Set<number>} seen numbers that were given
 */

/**
 * This many lines of sight of every panorama under load are walked again. A check sees 500 to 1500 of yours, so one
 * wrong line in four thousand is found by 95 checks of a hundred, and by more where cores are fast.
 */
const rayCount = 24

/** @returns {Model} */
export function newModel () {
  return { sent: 0, highest: 0, seen: new Set() }
}

/** @type {Stream} */
export function panoramas ({ random, data, model }) {
  /**
   * Places requested before: a server that remembers them still has to count their visits.
   *
   * @type {{ x: number, y: number }[]}
   */
  const known = []
  return () => {
    if (random.next() < 0.01) return readVisits(model)
    const place = known.length > 0 && random.next() < 0.05 ? random.pick(known) : anyPlace(random)
    if (known.length < 20) known.push(place)
    const rays = Array.from({ length: rayCount }, () => random.int(0, directions - 1))
    return visit(model, data.terrain, place, rays)
  }
}

/**
 * @param {Model} model
 * @param {Terrain} terrain
 * @param {{ x: number, y: number }} place
 * @param {number[]} rays directions that are computed again
 * @returns {Item}
 */
function visit (model, terrain, place, rays) {
  const { highest: before } = model
  model.sent++
  /** @type {string | undefined} */
  let wrongNumber
  return {
    path: pathOf(place),
    answered (answer) {
      const number = jsonIn(answer)?.visit
      if (!Number.isInteger(number)) return
      if (model.seen.has(number)) wrongNumber = `the visit number ${number} was already given to another visit`
      else if (number <= before) {
        wrongNumber = `the visit number is ${number}, but ${before} was given before this request was sent`
      } else if (number > model.sent) {
        wrongNumber = `the visit number is ${number}, but only ${model.sent} panoramas were requested`
      }
      model.seen.add(number)
      model.highest = Math.max(model.highest, number)
    },
    check: (answer) => headProblem(answer) ?? wrongPanorama(answer.json(), terrain, place, rays) ?? wrongNumber
  }
}

/** @param {Model} model @returns {Item} */
function readVisits (model) {
  const { highest: before } = model
  let sent = 0
  return {
    path: '/visits',
    answered () { sent = model.sent },
    check (answer) {
      const wrong = headProblem(answer)
      if (wrong) return wrong
      const { visits } = answer.json()
      if (!Number.isInteger(visits)) return `visits is ${JSON.stringify(visits)}`
      if (visits < before) {
        return `it says ${visits} visits, but number ${before} was given before this request was sent`
      }
      if (visits > sent) return `it says ${visits} visits, but only ${sent} panoramas were requested`
    }
  }
}

/**
 * What is wrong with a panorama, apart from its visit number.
 *
 * @param {any} view
 * @param {Terrain} terrain
 * @param {{ x: number, y: number }} place
 * @param {number[]} rays
 * @returns {string | undefined}
 */
function wrongPanorama (view, terrain, { x, y }, rays) {
  if (view?.x !== x || view.y !== y) return `it is the panorama of ${view?.x}/${view?.y}`
  if (!Number.isInteger(view.visit)) return `its visit number is ${JSON.stringify(view.visit)}`
  const height = expectedHeight(terrain, { x, y })
  if (view.height !== height) return `the height is ${view.height} instead of ${height}`
  if (view.skyline?.length !== directions) {
    return `the skyline has ${view.skyline?.length} directions instead of ${directions}`
  }
  for (const ray of rays) {
    const expected = expectedRay(terrain, { x, y }, ray)
    if (view.skyline[ray] !== expected) {
      return `the skyline in direction ${ray} is ${view.skyline[ray]} instead of ${expected}`
    }
  }
}
