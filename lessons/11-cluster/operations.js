import { oddKeys, oddNumbers, withUnasked, wholeNumber } from '../form/kinds.js'
import { operationsOf } from '../form/operations.js'
import { parseRoutes } from '../form/routes.js'
import { countDrawn } from '../shared/answers.js'
import { cookieForms, cookieOf, elsewhereForms, strangeSessions, withSession } from '../shared/sessions.js'
import { urlOf } from '../shared/urls.js'
import { anyHut, anyPin, withWrongPin } from './club.js'
import { anyPlace, pathOf, range } from './terrain.js'

/** @import { Member } from './club.js' */

/** So few names that some of them are tried again and again. The load logs in as the others. */
export const tried = 6

const panorama = 'GET /panorama/:x/:y'

export const operations = operationsOf(parseRoutes({
  [panorama]: {
    rule: 'computes the panorama of any place on the map, to the last digit',
    weight: 2,
    least: 3,
    draw: ({ random, data, past }) => {
      const steps = past(panorama)
      const kind = countDrawn(steps) % 3
      // Next to the last one.
      if (kind === 2) {
        const [x, y] = urlOf(steps[steps.length - 1]).split('/').slice(2).map((at) => Number(at) + random.pick([-1, 1]))
        return { path: pathOf({ x, y }) }
      }
      return { path: pathOf(kind === 1 ? random.pick(data.below) : anyPlace(random)) }
    }
  }
}), {
  none: {
    rule: 'answers 404 for a place that isn’t on the map',
    least: 9,
    odd: true,
    draw: ({ random, past }) => {
      const { x, y } = anyPlace(random)
      const values = [...oddNumbers(random, y), range.low - 1, range.high + 1, random.int(range.high + 1, 99_999)]
      const off = values[countDrawn(past('none')) % values.length]
      return { path: pathOf(random.pick([{ x, y: off }, { x: off, y }])) }
    }
  },
  login: {
    rule: 'opens a session for the right PIN',
    effect: 'knows a session, whichever process responds',
    touches: ['me'],
    weight: 2,
    draw: ({ random, data }) => logIn(random.pick(data.members))
  },
  wrongPin: {
    rule: 'refuses a wrong PIN, and any PIN for a name with five wrong ones',
    effect: 'counts wrong PINs for each name, whichever process they come to',
    touches: ['rightPin'],
    weight: 4,
    least: 4,
    draw: ({ random, data }) => {
      const member = random.pick(data.members.slice(0, tried))
      const stranger = random.pick([random.word(6), ...oddKeys(random)])
      return logIn(random.next() < 0.85 ? withWrongPin(random, member) : [stranger, anyPin(random)])
    }
  },
  rightPin: {
    rule: 'opens a session only for a name with fewer than five wrong PINs',
    draw: ({ random, data, about }) => {
      const wanted = /** @type {any} */ (about?.asked)?.json?.name
      const known = data.members.find((/** @type {Member} */ [name]) => name === wanted)
      return logIn(known ?? random.pick(data.members.slice(0, tried)))
    }
  },
  malformed: {
    rule: 'answers 400 to a login without a name or a PIN',
    draw: ({ random, data }) => {
      const [name, pin] = random.pick(data.members)
      const wrong = [{ name }, { pin }, {}, { name, pin: Number(pin) }, { name: [name], pin }, { name, pin: null }]
      return { method: 'POST', path: '/login', json: random.pick(wrong) }
    }
  },
  me: {
    rule: 'says whose session it is',
    weight: 2,
    draw: (given) => withSession(given, { forms: cookieForms, request: { path: '/me' } })
  },
  stranger: {
    rule: 'answers 401 without a session of its own',
    least: 14,
    draw: ({ random, data, past }) => {
      const file = `hut-${anyHut(random, data.huts).id}.json`
      const strange = [random.word(40), ...strangeSessions(file, random.pick(data.members)[0])]
      const headers = [{}, { cookie: 'a=b' }, ...strange.map(cookieOf)]
      return { path: '/me', headers: headers[countDrawn(past('stranger')) % headers.length] }
    }
  },
  elsewhere: {
    rule: 'answers 401 without a session of its own',
    least: 3,
    draw: (given) => {
      const forms = elsewhereForms(given.data.members)
      const form = forms[countDrawn(given.past('elsewhere')) % forms.length]
      return withSession(given, { forms: [form], request: { path: '/me' } })
    }
  },
  hut: {
    rule: 'shows a hut with its free beds',
    weight: 2,
    draw: ({ random, data, about }) => ({ path: about ? urlOf(about) : `/huts/${anyHut(random, data.huts).id}` })
  },
  noHut: {
    rule: 'answers 404 for a hut that isn’t there',
    odd: true,
    least: 4,
    draw: ({ random, data }) => {
      const id = random.pick([...oddNumbers(random), String(data.huts.length + random.int(1, 80)), ...oddKeys(random)])
      return { path: `/huts/${id}` }
    }
  },
  beds: {
    rule: 'takes a hut’s new beds',
    effect: 'shows a hut’s new beds from the response to the change on, whichever process responds',
    touches: ['hut'],
    weight: 3,
    draw: ({ random, data }) => {
      const request = setBeds(anyHut(random, data.huts).id, wholeNumber(random, 0, 9999))
      return { ...request, json: withUnasked(random, request.json, { id: data.huts.length, name: random.word(7) }) }
    }
  },
  wrongBeds: {
    rule: 'answers 400 to beds that aren’t a whole number from 0 to 9,999',
    draw: ({ random, data }) =>
      setBeds(anyHut(random, data.huts).id, random.pick([-1, 10_000, 2.5, '7', null, undefined]))
  }
})

/** @param {Member} member */
export function logIn ([name, pin]) {
  return { method: 'POST', path: '/login', json: { name, pin } }
}

/** @param {number} id @param {unknown} beds */
export function setBeds (id, beds) {
  return { method: 'PUT', path: `/huts/${id}`, json: { beds } }
}
