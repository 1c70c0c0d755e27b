/**
 * What the pages for teachers lack. Pure.
 *
 * @typedef {object} Taught what of a lesson the pages have to agree with
 * @property {number} number
 * @property {string} title
 * @property {Record<string, string[]>} wrong the checks or gates that refuse each of its wrong submissions, by its name
 * @property {{ read: number, work: number } | null} minutes of its line of Time, null: missing
 */

const parts = /\*\*Show\.\*\*([^]*)\*\*Ask\.\*\*([^]*)\*\*Common mistakes\.\*\*([^]*)/

/** @param {string} text of a lesson @returns {Taught['minutes']} */
export function minutesIn (text) {
  const found = /\*\*Time\*\* about (\d+) minutes to read and (\d+) to work/.exec(text)
  return found && { read: Number(found[1]), work: Number(found[2]) }
}

/**
 * @param {string} text of the debriefs
 * @param {Taught[]} lessons
 * @returns {string[]} a sentence for each thing that is missing
 */
export function findDebriefs (text, lessons) {
  const sections = new Map(text.split(/^## /m).slice(1).map((section) => [section.split('\n')[0], section]))
  const headings = lessons.map(({ number, title }) => `${number} · ${title}`)
  return [
    ...[...sections.keys()].filter((heading) => !headings.includes(heading)).map((heading) => (
      `“${heading}” is no lesson: give it the number and the title of one, as in “${headings[0]}”.`)),
    ...lessons.flatMap(({ wrong }, at) => findDebrief(headings[at], sections.get(headings[at]), wrong))
  ]
}

/** @param {string} heading @param {string | undefined} section @param {Taught['wrong']} wrong */
function findDebrief (heading, section, wrong) {
  if (section === undefined) return [`“${heading}” has no debrief.`]
  const [, show, ask, mistakes] = parts.exec(section) ?? []
  if (mistakes === undefined) return [`“${heading}” lacks **Show.**, **Ask.** or **Common mistakes.**, in this order.`]
  const own = Number.parseInt(heading, 10)
  const lines = mistakes.match(/^- .*/gm) ?? []
  const heads = lines.map((line) => line.split(/:(?= |$)/)[0])
  const marked = (/** @type {string} */ line, /** @type {RegExp} */ by) =>
    [...line.matchAll(by)].map(([, name]) => name)
  const named = heads.flatMap((head) => marked(head, /`([^`]+)`/g))
  return [
    ...(/^ {4}\S/m.test(show) ? [] : [`“${heading}” shows no command.`]),
    ...((ask.match(/^\d\. \*/gm) ?? []).length === 3 ? [] : [`“${heading}” does not ask three questions.`]),
    ...(lines.length === 3 || lines.length === 4 ? [] : [`“${heading}” has ${lines.length} mistakes: choose 3 or 4.`]),
    ...named.filter((name) => !wrong[name]).map((name) => `“${heading}”: wrong.js has no “${name}”.`),
    ...heads.flatMap((head) => {
      const refusing = new Set(marked(head, /`([^`]+)`/g).flatMap((name) => wrong[name] ?? []))
      const told = marked(head, /\*([^*]+)\*/g)
      const isSame = `${told}` === `${[...refusing]}`
      return isSame ? [] : [`“${heading}”: wrong.js says “${[...refusing]}”, not “${told}”: ${head}`]
    }),
    ...[...section.matchAll(/\blesson-(\d+)/g)].filter(([, number]) => Number(number) !== own)
      .map(([name]) => `“${heading}” names a command of ${name}.`)
  ]
}

/**
 * @param {string} text of the paths
 * @param {Taught[]} lessons
 * @returns {string[]} a sentence for each figure that does not fit
 */
export function findTimes (text, lessons) {
  const found = [...text.matchAll(/^\| \[(\d+)\]\([^)]+\) \| (\d+) \| (\d+) \|/gm)]
  const figures = found.map((row) => row.slice(1).map(Number))
  const rows = new Map(figures.map(([number, read, work]) => [number, { read, work }]))
  const workOf = (/** @type {string} */ numbers) => {
    return total(numbers.match(/\d+/g)?.map((one) => rows.get(Number(one))?.work ?? 0))
  }
  return [
    ...lessons.flatMap(({ number, minutes }) => {
      const row = rows.get(number)
      if (!row) return [`Lesson ${number} has no row.`]
      if (minutes === null || (row.read === minutes.read && row.work === minutes.work)) return []
      const { read, work } = minutes
      return [`Lesson ${number} says ${read} and ${work} minutes, its row ${row.read} and ${row.work}.`]
    }),
    ...[...text.matchAll(/^\| (\d+) \| lesson (\d+) \|/gm)].flatMap(([, minutes, number]) => {
      const row = rows.get(Number(number))
      const sum = row && row.read + row.work
      return sum === Number(minutes) ? [] : [`Lesson ${number} takes ${sum} minutes, a timetable says ${minutes}.`]
    }),
    ...[...text.matchAll(/((?:^\| \d+ \| .*\n)+)\| \*\*(\d+)\*\* \|/gm)].flatMap(([, table, told]) => {
      const sum = total(table.match(/(?<=^\| )\d+/gm)?.map(Number))
      return sum === Number(told) ? [] : [`A timetable of ${sum} minutes says that it has ${told}.`]
    }),
    ...[...text.matchAll(/^\| [\d and]+ \| ([\d and]+) \| (\d+) \| \D/gm)].flatMap(([, numbers, told]) => {
      const sum = workOf(numbers)
      return sum === Number(told) ? [] : [`The session of lesson ${numbers} says ${told} minutes: ${sum}.`]
    })
  ]
}

/** @param {number[]} [numbers] */
function total (numbers = []) {
  return numbers.reduce((sum, one) => sum + one, 0)
}

/** @param {string} text @returns {string[]} its commands of npm, without backticks and without `npm run` */
export function commandsIn (text) {
  return [...text.matchAll(/(?<=^ {4}|`)npm run (?:-s )?([^`\n]+)/gm)].map(([, command]) => command)
}

/** A line `---` ends a slide, and a comment is a note. @param {string} markdown */
export function slidesOf (markdown) {
  return markdown.split(/^---$/m).map((slide) => {
    const notes = [...slide.matchAll(/<!--([^]*?)-->/g)].map(([, note]) => note.trim())
    return { markdown: slide.replace(/<!--[^]*?-->/g, '').trim(), notes: notes.join('\n\n') }
  })
}
