import { WorkshopError } from '../errors.js'

/**
 * The names of a new lesson.
 *
 * @typedef {object} NewLesson
 * @property {number} number 17
 * @property {string} id `cold-start`
 * @property {string} folder `17-cold-start`
 * @property {string} title `Cold start`, to begin with
 */

/**
 * @param {object} given
 * @param {string | undefined} given.topic `cold-start`
 * @param {string | undefined} given.number value of the flag; default the next one
 * @param {string[]} given.folders of the existing lessons
 * @returns {NewLesson}
 * @throws {WorkshopError} an invalid name or number, or one that is taken
 */
export function nameLesson ({ topic, number: wanted, folders }) {
  const id = idOf(topic)
  const taken = new Map(folders.map((folder) => [Number.parseInt(folder, 10), folder]))
  const twin = folders.find((folder) => folder.replace(/^\d+-/, '') === id)
  if (twin) throw new WorkshopError(`There is a lesson ${twin} already: give the new one another name.`)
  const number = wanted === undefined ? Math.max(0, ...taken.keys()) + 1 : Number(wanted)
  if (!/^\d{1,4}$/.test(String(number)) || number === 0) {
    throw new WorkshopError(`--number takes a whole number from 1 to 9999, got ${wanted}.`)
  }
  if (taken.has(number)) {
    throw new WorkshopError(`Number ${number} is taken by ${taken.get(number)}: leave out --number for the next one.`)
  }
  return { number, id, folder: `${String(number).padStart(2, '0')}-${id}`, title: titleOf(id) }
}

/** @param {string} [topic] */
function idOf (topic = '') {
  if (topic === '') throw new WorkshopError('Say what it is about, for example: npm run new-lesson cold-start')
  const near = topic.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  if (near === topic) return topic
  const example = near === '' ? '' : `, for example ${near}`
  throw new WorkshopError(`“${topic}” cannot name a lesson: use lower-case letters, digits and single dashes` +
    `${example}.`)
}

/** @param {string} id */
function titleOf (id) {
  return id[0].toUpperCase() + id.slice(1).replaceAll('-', ' ')
}

/** The names in the template, which is a lesson itself. @type {NewLesson} */
export const templateName = { number: 0, id: 'my-topic', folder: '00-my-topic', title: 'My topic' }

/**
 * A text or path of the template with the new lesson's names. Pure.
 *
 * @param {string} text
 * @param {NewLesson} lesson
 */
export function renamed (text, { number, id, folder, title }) {
  /** @type {Record<string, string>} */
  const names = {
    '00-my-topic': folder,
    'my-topic': id,
    'My topic': title,
    'lesson-0': `lesson-${number}`,
    'lessons -- 0': `lessons -- ${number}`
  }
  return text.replace(new RegExp(`(${Object.keys(names).join('|')})\\b`, 'g'), (name) => names[name])
}
