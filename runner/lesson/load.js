import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { figures, gateKinds, kindsFor } from '../judge/index.js'
import { WorkshopError } from '../shared/errors.js'
import { importLesson, workshopRoot } from '../shared/workshop.js'
import { rules } from '../shared/model-rules.js'
import {
  above, boolean, callable, filledList, filledObject, isObject, itemsOf, line, list, number, object, oneOf, optional,
  problemsOfFields, problemsOfItems, quote, regExp, whole
} from '../shared/rules.js'
import { inOrderOfText, tellMissing } from './texts.js'

/**
 * @import { GateKind, Kind } from '../judge/index.js'
 * @import { Rule } from '../shared/rules.js'
 * @import { LessonEntry } from './find.js'
 * @import { Lesson } from './lesson.js'
 *
 * @typedef {LessonEntry & { lesson: Lesson, file: string }} LoadedLesson file: what the learner changes: `server.js`,
 *   or what the lesson's own check names
 */

/**
 * Imports and validates a lesson.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<LoadedLesson>}
 * @throws {WorkshopError} lesson.js is missing, cannot be imported or is not a lesson: names every field that is wrong
 */
export async function loadLesson (entry) {
  const file = path.join(entry.dir, 'lesson.js')
  const shown = path.relative(entry.root, file)
  await stat(file).catch((error) => tellMissing(error, shown))
  const lesson = await importDefault(file, shown, entry.root)
  const problems = problemsOf(lesson, entry)
  if (problems.length > 0) throw new WorkshopError(problems.map((problem) => `${shown}: ${problem}`).join('\n'))
  await stat(entry.slowDir).catch((error) => tellMissing(error, path.relative(entry.root, entry.slowDir)))
  return {
    ...entry,
    // A lesson with its own check has neither checks nor loads.
    lesson: { contract: [], loads: {}, ...lesson, promises: await readPromises(entry) },
    file: lesson.check?.file ?? 'server.js'
  }
}

/**
 * What a list shows of a lesson. Where lesson.js spells it out, its text is read: importing it takes far longer.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<{ title: string, summary: string, part: string }>}
 * @throws {WorkshopError} as `loadLesson`, where it has to be imported
 */
export async function readNames (entry) {
  const text = await readFile(path.join(entry.dir, 'lesson.js'), 'utf8').catch(() => '')
  const [, own = ''] = text.split(/^export default (?:form\()?\{$/m)
  const fields = own.matchAll(/^ {2}(title|summary|part):\s+('[^'\\\n]+'(?: \+\n\s+'[^'\\\n]+')*),$/gm)
  const spelled = new Map([...fields].map(([, name, text]) => [name, text.replace(/' \+\s+'/g, '').slice(1, -1)]))
  const isWhole = (own.match(/^ {2}(title|summary|part)\b/gm) ?? []).length === spelled.size
  const [title, summary, part = ''] = ['title', 'summary', 'part'].map((name) => spelled.get(name))
  if (isWhole && title !== undefined && summary !== undefined) return { title, summary, part }
  const { lesson } = await loadLesson(entry)
  return { title: lesson.title, summary: lesson.summary, part: lesson.part ?? '' }
}

/**
 * Which words of the text promise each rule.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<Record<string, string>>} in the order of the text; empty where the authors haven't written any
 */
async function readPromises ({ dir }) {
  try {
    const promises = JSON.parse(await readFile(path.join(dir, 'promises.json'), 'utf8'))
    return inOrderOfText(promises, await readFile(path.join(dir, 'README.md'), 'utf8').catch(() => ''))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

/** @param {string} file @param {string} shown @param {string} root */
async function importDefault (file, shown, root) {
  try {
    const { default: lesson } = await importLesson(pathToFileURL(file).href)
    return lesson
  } catch (error) {
    const isPackage = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('Cannot find package')
    // The command line explains a missing package of the workshop.
    if (isPackage && root === workshopRoot) throw error
    const advice = isPackage ? `. Install it in ${root}.` : ''
    throw new WorkshopError(`${shown} cannot be imported: ${error.message}${advice}`, { cause: error })
  }
}

/**
 * Every name that a check of a lesson can have in a record. Pure.
 *
 * @param {Pick<Lesson, 'contract' | 'operations' | 'check'>} lesson
 * @returns {string[]}
 */
export function checkNamesOf ({ contract = [], operations = {}, check }) {
  if (check !== undefined) return check.checks
  return [
    ...contract.map(({ name }) => name),
    ...Object.values(operations).flatMap(({ rule, effect }) => [rule, effect ?? []].flat()),
    ...Object.values(rules)
  ]
}

/**
 * What is wrong with a lesson, each problem as `field: must …`; empty for a valid lesson. The fields are those of
 * `lesson.js` in this folder: a new field needs a line here.
 *
 * @param {any} lesson
 * @param {{ id: string, folder: string }} entry
 * @returns {string[]}
 */
export function problemsOf (lesson, entry) {
  if (!isObject(lesson)) return ['the default export: must be a lesson, an object']
  const problems = lesson.check === undefined ? problemsOfServerLesson(lesson) : problemsOfOwnCheck(lesson)
  return typeof lesson.id === 'string' && lesson.id !== entry.id
    ? [...problems, `id: must be "${entry.id}", as in the name of the folder, not ${quote(lesson.id)}`]
    : problems
}

/** @param {any} lesson */
function problemsOfServerLesson (lesson) {
  const [contract, gates] = [itemsOf(lesson.contract), itemsOf(lesson.gates)]
  const loads = isObject(lesson.loads) ? lesson.loads : {}
  const names = contract.map((check) => check?.name).filter((name) => typeof name === 'string')
  return [
    ...problemsOfFields(lesson, '', {
      ...ofEveryLesson,
      data: optional(callable),
      operations: optional(filledObject),
      sequence: optional(object),
      contract: lesson.operations === undefined ? filledList : list,
      promised: optional(filledObject),
      knownToFail: optional(list),
      model: optional(callable),
      loads: filledObject,
      gates: filledList,
      sourceHints: optional(list),
      upstream: optional(callable),
      mechanism: object,
      eventLoop: optional(object)
    }),
    ...isObject(lesson.eventLoop)
      ? problemsOfFields(lesson.eventLoop, 'eventLoop', {
        load: optional(oneOf(Object.keys(loads), 'the name of a load')),
        asks: optional(line)
      })
      : [],
    ...problemsOfOperations(isObject(lesson.operations) ? lesson.operations : {}),
    ...isObject(lesson.sequence)
      ? problemsOfFields(lesson.sequence, 'sequence', {
        steps: optional(above(0)),
        restart: optional(boolean),
        load: optional(boolean),
        strays: optional(boolean)
      })
      : [],
    ...problemsOfItems(contract, 'contract', () =>
      ({ name: line, when: optional(phases), apart: optional(boolean), timed: optional(boolean), run: callable })),
    ...problemsOfNames(contract, 'contract'),
    ...problemsOfItems(itemsOf(lesson.knownToFail), 'knownToFail', () =>
      ({ check: oneOf(names, 'the name of a check of the contract'), why: line })),
    ...Object.entries(loads).flatMap(([name, load]) => problemsOfLoad(load, `loads.${name}`)),
    ...problemsOfGates(gates, loads),
    ...problemsOfItems(itemsOf(lesson.sourceHints), 'sourceHints', () =>
      ({ pattern: regExp, unless: optional(regExp), warning: line })),
    ...isObject(lesson.mechanism) ? problemsOfMechanism(lesson.mechanism, loads) : []
  ]
}

/** @type {Record<string, Rule>} */
const ofEveryLesson = {
  id: line,
  title: line,
  summary: line,
  part: optional(line)
}

/** @param {any} mechanism @param {Record<string, any>} loads */
function problemsOfMechanism (mechanism, loads) {
  return [
    ...problemsOfFields(mechanism, 'mechanism', {
      expected: line,
      load: oneOf(Object.keys(loads), 'the name of a load'),
      cpuPerRequest: optional(oneOf(['falls', 'stays'], 'what the CPU time does')),
      shows: optional(list)
    }),
    ...problemsOfItems(itemsOf(mechanism.shows), 'mechanism.shows', (shows) => ({
      figure: oneOf(Object.keys(figures), 'a figure that is sampled'),
      does: oneOf(['falls', 'stays', 'rises'], 'what it does'),
      of: /^(function|listeners)$/.test(shows?.figure) ? filledList : optional(list)
    }))
  ]
}

/** @param {Record<string, any>} operations */
function problemsOfOperations (operations) {
  return Object.entries(operations).flatMap(([name, operation]) => [
    ...problemsOfFields(operation, `operations.${name}`, {
      rule: line,
      effect: operation?.touches === undefined ? absent('nothing is touched') : line,
      touches: optional(list),
      weight: optional(above(0)),
      least: optional(above(0)),
      draw: callable,
      meaning: optional(callable),
      headers: optional(list),
      tagged: optional(boolean),
      loose: optional(boolean),
      odd: optional(boolean),
      notNow: optional(callable),
      expects: optional(callable)
    }),
    ...itemsOf(operation?.touches).filter((other) => !Object.hasOwn(operations, other))
      .map((other) => `operations.${name}.touches: there is no operation ${quote(other)}`)
  ])
}

/** A lesson that grades something else than a server. @param {any} lesson */
function problemsOfOwnCheck (lesson) {
  const gates = itemsOf(lesson.gates)
  return [
    ...problemsOfFields(lesson, '', { ...ofEveryLesson, check: object, gates: filledList }),
    ...isObject(lesson.check)
      ? problemsOfFields(lesson.check, 'check', {
        writes: line,
        file: line,
        checks: filledList,
        grade: callable,
        bench: callable
      })
      : [],
    ...problemsOfItems(gates, 'gates', () =>
      ({ name: line, kind: oneOf(kindsFor('own check'), 'a kind of gate'), target: above(1), look: line })),
    ...problemsOfNames(gates, 'gates')
  ]
}

/** @param {any} load @param {string} field */
function problemsOfLoad (load, field) {
  const isBatchOfNothing = load?.batches !== undefined && load.exactly === undefined
  const isByClock = load?.arrivals !== undefined && load.exactly !== undefined
  return [
    ...problemsOfFields(load, field, {
      stream: callable,
      connections: whole(1),
      sliceMs: optional(above(0)),
      sliceAnswers: optional(whole(1)),
      exactly: optional(whole(1)),
      batches: optional(whole(4)),
      lasting: optional(boolean),
      baselineExactly: optional(whole(1)),
      arrivals: optional(above(0)),
      fresh: optional(boolean),
      probe: optional(object),
      warmUpMs: optional(number(0)),
      warmUpAnswers: optional(whole(1))
    }),
    ...isBatchOfNothing ? [`${field}.exactly: must be the size of a batch, since there are \`batches\``] : [],
    ...isByClock ? [`${field}.exactly: must be absent, since requests arrive by the clock (\`arrivals\`)`] : [],
    ...isObject(load?.probe) ? problemsOfFields(load.probe, `${field}.probe`, { stream: callable, rate: above(0) }) : []
  ]
}

/** @param {any[]} gates @param {Record<string, any>} loads */
function problemsOfGates (gates, loads) {
  return [
    ...gates.flatMap((gate, index) => [
      ...problemsOfFields(gate, `gates[${index}]`, {
        name: line,
        kind: oneOf(kindsFor('server'), 'a kind of gate'),
        load: oneOf(Object.keys(loads), 'the name of a load'),
        target: gate?.tiers === undefined ? target : absent('there are tiers'),
        tiers: optional(tiers),
        halfway: optional(halfway(gate)),
        of: optional(oneOf(['probe', 'load'], 'whose latency')),
        percentile: optional(percentile),
        dropped: optional(line),
        look: line
      }),
      ...problemsOfKind(gate, `gates[${index}]`, loads)
    ]),
    ...problemsOfNames(gates, 'gates')
  ]
}

/**
 * What a kind of gate requires of its load, and which fields it has.
 *
 * @param {any} gate
 * @param {string} field
 * @param {Record<string, any>} loads
 */
function problemsOfKind (gate, field, loads) {
  /** @type {Record<string, Kind>} */
  const kinds = gateKinds
  if (!Object.hasOwn(kinds, gate?.kind)) return []
  const { needs, fields = [] } = kinds[gate.kind]
  const load = Object.hasOwn(loads, gate.load) ? loads[gate.load] : undefined
  const needed = needs?.(gate)
  const lacks = load && needed && load[needed.part] === undefined
  return [
    ...lacks ? [`${field}.load: ${needed.why}, so loads.${gate.load} must have \`${needed.part}\``] : [],
    ...(/** @type {const} */ (['percentile', 'of'])).flatMap((name) => {
      if (gate[name] === undefined || fields.includes(name)) return []
      const having = Object.keys(kinds).filter((kind) => kinds[kind].fields?.includes(name))
      return `${field}.${name}: must be absent, only gates of ${having.join(' and ')} have one`
    })
  ]
}

/** Names that are taken. @param {any[]} items @param {string} field */
function problemsOfNames (items, field) {
  const names = items.map((item) => item?.name)
  return names.flatMap((name, index) => typeof name === 'string' && names.indexOf(name) !== index
    ? `${field}[${index}].name: must differ from the others, ${quote(name)} is taken`
    : [])
}

/** @param {string} where @returns {Rule} */
const absent = (where) => (value) => value === undefined ? undefined : `absent where ${where}`
/** @type {Rule} */
const target = (value) => typeof value === 'function' || (Number.isFinite(value) && value > 0)
  ? undefined
  : 'a number above 0, or a function of the machine'
/** @param {any} gate @returns {Rule} */
const halfway = (gate) => (value) => {
  const { direction } = Object.hasOwn(gateKinds, gate?.kind) ? gateKinds[/** @type {GateKind} */ (gate.kind)] : {}
  const isBefore = direction === 'at most' ? value > gate.target : value > 1 && value < gate?.target
  return Number.isFinite(value) && gate?.tiers === undefined && (typeof gate.target === 'function' || isBefore)
    ? undefined
    : 'a number on the way to the target, and absent where there are tiers'
}
/** @type {Rule} */
const tiers = (value) => {
  const targets = isObject(value) ? Object.values(value) : []
  return targets.length > 1 &&
    targets.every((each, at) => Number.isFinite(each) && each > (at === 0 ? 0 : targets[at - 1]))
    ? undefined
    : 'two or more names with rising targets'
}
/** @type {Rule} */
const percentile = (value) => value > 0 && value < 100 ? undefined : 'a number between 0 and 100'
/** @type {Rule} */
const phases = (value) => Array.isArray(value) && value.length > 0 &&
  value.every((phase) => ['before', 'during', 'after'].includes(phase))
  ? undefined
  : 'a list of "before", "during" and "after"'
