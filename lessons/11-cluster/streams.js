import { headProblem, jsonIn } from '../shared/answers.js'
import { cookieOf } from '../shared/sessions.js'
import { Versions } from '../shared/versions.js'
import { busyHut } from './club.js'
import { logIn, setBeds, tried } from './operations.js'
import { anyPlace, directions, expectedHeight, expectedRay, pathOf } from './terrain.js'

/**
 * @import { Item, Stream } from '../../runner/lesson/index.js'
 * @import { Member } from './club.js'
 * @import { Place, Terrain } from './terrain.js'
 *
 * @typedef {object} Model what the clients of one server know
 * @property {{ session: string, name: string }[]} sessions that it has opened
 * @property {Versions} beds of the hut that is written under load: a version is its number of beds
 */

/**
 * This many lines of sight of every panorama under load are walked again. A check sees 500 to 1500 of yours, so one
 * wrong line in four thousand is found by 95 checks of a hundred, and by more where cores are fast.
 */
const rayCount = 24
const mostSessions = 20

/** @returns {Model} */
export function newModel () {
  return { sessions: [], beds: new Versions() }
}

/** @type {Stream} */
export function mixedStream ({ random, data, model }) {
  return () => {
    const kind = random.next()
    if (kind < 0.01) return logInOnce(model, random.pick(data.members.slice(tried)))
    if (kind < 0.02 && model.sessions.length > 0) return me(random.pick(model.sessions))
    if (kind < 0.03 && !model.beds.isWriting) return writeBeds(model.beds)
    if (kind < 0.05) return model.beds.read(`/huts/${busyHut}`, bedsIn)
    const rays = Array.from({ length: rayCount }, () => random.int(0, directions - 1))
    return panorama(data.terrain, anyPlace(random), rays)
  }
}

/** @param {Model} model @param {Member} member @returns {Item} */
function logInOnce ({ sessions }, member) {
  const [name] = member
  return {
    ...logIn(member),
    answered (answer) {
      const session = answer.cookies().find((cookie) => cookie.name === 'session')?.value
      if (answer.status === 201 && session) sessions.push({ session, name })
      if (sessions.length > mostSessions) sessions.shift()
    },
    check: (answer) => headProblem(answer, 201) ?? wrongName(jsonIn(answer), name)
  }
}

/** @param {Model['sessions'][number]} known @returns {Item} */
function me ({ session, name }) {
  return {
    path: '/me',
    headers: cookieOf(session),
    check: (answer) => headProblem(answer) ?? wrongName(jsonIn(answer), name)
  }
}

/** @param {any} json @param {string} name */
function wrongName (json, name) {
  if (json?.name !== name) return `expected the name ${name}, got ${JSON.stringify(json)}`
}

/** @param {Versions} versions @returns {Item} */
function writeBeds (versions) {
  const beds = versions.started + 1
  return versions.write(setBeds(busyHut, beds), 200, (answer) =>
    jsonIn(answer)?.beds === beds ? undefined : `expected ${beds} beds in the response, got ${answer.text()}`)
}

/** @param {Buffer} body @param {{ from: number, to: number }} window @returns {number | string} */
function bedsIn (body, { from, to }) {
  const { beds } = JSON.parse(body.toString())
  if (Number.isInteger(beds) && beds >= from && beds <= to) return beds
  return `it shows ${beds} beds, but ${from === to ? `${from} were` : `${from} to ${to} had been`} set before`
}

/** @param {Terrain} terrain @param {Place} place @param {number[]} rays computed again @returns {Item} */
function panorama (terrain, place, rays) {
  return {
    path: pathOf(place),
    check: (answer) => {
      const wrong = headProblem(answer)
      if (wrong) return wrong
      const view = answer.json()
      if (view?.x !== place.x || view.y !== place.y) return `it is the panorama of ${view?.x}/${view?.y}`
      const height = expectedHeight(terrain, place)
      if (view.height !== height) return `the height is ${view.height} instead of ${height}`
      const { length } = view.skyline ?? {}
      if (length !== directions) return `the skyline has ${length} directions instead of ${directions}`
      for (const ray of rays) {
        const [got, expected] = [view.skyline[ray], expectedRay(terrain, place, ray)]
        if (got !== expected) return `the skyline in direction ${ray} is ${got} instead of ${expected}`
      }
    }
  }
}
