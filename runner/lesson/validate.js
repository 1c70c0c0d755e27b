import { figures, gateKinds, kindsFor } from '../judge/index.js'
import { nearest } from '../near.js'

/** @import { Kind } from '../judge/index.js' */

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
  /** @type {string[]} */
  const problems = []
  const look = lookInto(lesson, '', problems)
  look('id', line)
  look('title', line)
  look('summary', line)
  look('kind', optional(oneOf(['server', 'load plan'], 'what the learner changes')))
  if (lesson.kind === 'load plan') lookAtPlanLesson(lesson, look, problems)
  else lookAtServerLesson(lesson, look, problems)

  if (typeof lesson.id === 'string' && lesson.id !== entry.id) {
    problems.push(`id: must be "${entry.id}", as in the name of the folder, not ${quote(lesson.id)}`)
  }
  return problems
}

/**
 * @param {any} lesson
 * @param {ReturnType<typeof lookInto>} look
 * @param {string[]} problems
 */
function lookAtServerLesson (lesson, look, problems) {
  look('data', optional(isFunction))
  look('operations', optional(filledObject))
  look('sequence', optional(object))
  look('contract', lesson.operations === undefined ? filledList : list)
  look('promises', optional(filledObject))
  look('knownToFail', optional(list))
  look('model', optional(isFunction))
  look('loads', filledObject)
  look('gates', filledList)
  look('sourceHints', optional(list))
  look('upstream', optional(isFunction))
  look('mechanism', object)
  look.nothingElse()
  lookAtOperations(isObject(lesson.operations) ? lesson.operations : {}, problems)
  if (isObject(lesson.sequence)) lookAtSequence(lesson.sequence, problems)
  lookAtChecks(itemsOf(lesson.contract), problems)
  lookAtKnownFailures(itemsOf(lesson.knownToFail), itemsOf(lesson.contract), problems)
  lookAtLoads(isObject(lesson.loads) ? lesson.loads : {}, problems)
  lookAtGates(itemsOf(lesson.gates), isObject(lesson.loads) ? lesson.loads : {}, problems)
  lookAtSourceHints(itemsOf(lesson.sourceHints), problems)
  if (isObject(lesson.mechanism)) {
    const lookAtMechanism = lookInto(lesson.mechanism, 'mechanism', problems)
    lookAtMechanism('expected', line)
    lookAtMechanism('load', oneOf(Object.keys(isObject(lesson.loads) ? lesson.loads : {}), 'the name of a load'))
    lookAtMechanism('cpuPerRequest', oneOf(['falls', 'stays'], 'what the CPU time does'))
    lookAtMechanism('shows', optional(list))
    lookAtMechanism.nothingElse()
    for (const [at, shows] of itemsOf(lesson.mechanism.shows).entries()) {
      const lookAtShows = lookInto(shows, `mechanism.shows[${at}]`, problems)
      lookAtShows('figure', oneOf(Object.keys(figures), 'a figure that is sampled'))
      lookAtShows('does', oneOf(['falls', 'stays', 'rises'], 'what it does'))
      lookAtShows('of', shows?.figure === 'function' ? filledList : optional(list))
      lookAtShows.nothingElse()
    }
  }
}

/** @param {Record<string, any>} operations @param {string[]} problems */
function lookAtOperations (operations, problems) {
  for (const [name, operation] of Object.entries(operations)) {
    const field = `operations.${name}`
    const look = lookInto(operation, field, problems)
    look('rule', line)
    look('effect', operation?.touches === undefined ? absent : line)
    look('touches', optional(list))
    look('weight', optional(above(0)))
    look('draw', isFunction)
    look('meaning', optional(isFunction))
    look('headers', optional(list))
    look('tagged', optional(boolean))
    look('loose', optional(boolean))
    look('notNow', optional(isFunction))
    look.nothingElse()
    for (const other of itemsOf(operation?.touches)) {
      if (!Object.hasOwn(operations, other)) problems.push(`${field}.touches: there is no operation ${quote(other)}`)
    }
  }
}

/** @param {any} sequence @param {string[]} problems */
function lookAtSequence (sequence, problems) {
  const look = lookInto(sequence, 'sequence', problems)
  look('steps', optional(above(0)))
  look('restart', optional(boolean))
  look('load', optional(boolean))
  look('strays', optional(boolean))
  look.nothingElse()
}

/**
 * A lesson of another kind: what is graded is a load plan.
 *
 * @param {any} lesson
 * @param {ReturnType<typeof lookInto>} look
 * @param {string[]} problems
 */
function lookAtPlanLesson (lesson, look, problems) {
  look('plan', object)
  look('gates', filledList)
  look.nothingElse()
  if (isObject(lesson.plan)) {
    const lookAtTask = lookInto(lesson.plan, 'plan', problems)
    lookAtTask('slowness', above(1))
    lookAtTask('budgetMs', above(0))
    lookAtTask('files', isFunction)
    lookAtTask('check', isFunction)
    lookAtTask.nothingElse()
  }
  itemsOf(lesson.gates).forEach((gate, index) => {
    const lookAtGate = lookInto(gate, `gates[${index}]`, problems)
    lookAtGate('name', line)
    lookAtGate('kind', oneOf(kindsFor('load plan'), 'a kind of gate'))
    lookAtGate('target', above(1))
    lookAtGate('look', line)
    lookAtGate.nothingElse()
  })
  lookForTwins(itemsOf(lesson.gates), 'gates', problems)
}

/** @param {any[]} checks @param {string[]} problems */
function lookAtChecks (checks, problems) {
  checks.forEach((check, index) => {
    const look = lookInto(check, `contract[${index}]`, problems)
    look('name', line)
    look('when', optional(phases))
    look('apart', optional(boolean))
    look('run', isFunction)
    look.nothingElse()
  })
  lookForTwins(checks, 'contract', problems)
}

/** @param {any[]} failures @param {any[]} checks @param {string[]} problems */
function lookAtKnownFailures (failures, checks, problems) {
  const names = checks.map((check) => check?.name).filter((name) => typeof name === 'string')
  failures.forEach((failure, index) => {
    const look = lookInto(failure, `knownToFail[${index}]`, problems)
    look('check', oneOf(names, 'the name of a check of the contract'))
    look('why', line)
    look.nothingElse()
  })
}

/** @param {Record<string, any>} loads @param {string[]} problems */
function lookAtLoads (loads, problems) {
  for (const [name, load] of Object.entries(loads)) {
    const look = lookInto(load, `loads.${name}`, problems)
    look('stream', isFunction)
    look('connections', wholeFrom(1))
    look('sliceMs', optional(above(0)))
    look('sliceAnswers', optional(wholeFrom(1)))
    look('exactly', optional(wholeFrom(1)))
    look('batches', optional(wholeFrom(4)))
    look('baselineExactly', optional(wholeFrom(1)))
    look('arrivals', optional(above(0)))
    look('fresh', optional(boolean))
    look('probe', optional(object))
    look('warmUpMs', optional(from(0)))
    look('warmUpAnswers', optional(wholeFrom(1)))
    look.nothingElse()
    if (load?.batches !== undefined && load.exactly === undefined) {
      problems.push(`loads.${name}.exactly: must be the size of a batch, since there are \`batches\``)
    }
    if (load?.arrivals !== undefined && load.exactly !== undefined) {
      problems.push(`loads.${name}.exactly: must be absent, since requests arrive by the clock (\`arrivals\`)`)
    }
    if (isObject(load?.probe)) {
      const lookAtProbe = lookInto(load.probe, `loads.${name}.probe`, problems)
      lookAtProbe('stream', isFunction)
      lookAtProbe('rate', above(0))
      lookAtProbe.nothingElse()
    }
  }
}

/** @param {any[]} gates @param {Record<string, any>} loads @param {string[]} problems */
function lookAtGates (gates, loads, problems) {
  gates.forEach((gate, index) => {
    const field = `gates[${index}]`
    const look = lookInto(gate, field, problems)
    look('name', line)
    look('kind', oneOf(kindsFor('server'), 'a kind of gate'))
    look('load', oneOf(Object.keys(loads), 'the name of a load'))
    look(
      'target',
      gate?.tiers === undefined ? target : (value) => (value === undefined ? undefined : 'absent where there are tiers')
    )
    look('tiers', optional(tiers))
    look('of', optional(oneOf(['probe', 'load'], 'whose latency')))
    look('percentile', optional(percentile))
    look('dropped', optional(line))
    look('look', line)
    look.nothingElse()
    if (!isObject(gate)) return

    lookAtKind(gate, field, loads, problems)
  })
  lookForTwins(gates, 'gates', problems)
}

/**
 * What a kind of gate requires of its load, and which fields it has.
 *
 * @param {any} gate
 * @param {string} field
 * @param {Record<string, any>} loads
 * @param {string[]} problems
 */
function lookAtKind (gate, field, loads, problems) {
  /** @type {Record<string, Kind>} */
  const kinds = gateKinds
  if (!Object.hasOwn(kinds, gate.kind)) return
  const { needs, fields = [] } = kinds[gate.kind]
  const load = Object.hasOwn(loads, gate.load) ? loads[gate.load] : undefined
  const needed = needs?.(gate)
  if (load && needed && load[needed.part] === undefined) {
    problems.push(`${field}.load: ${needed.why}, so loads.${gate.load} must have \`${needed.part}\``)
  }
  for (const name of /** @type {const} */ (['percentile', 'of'])) {
    if (gate[name] === undefined || fields.includes(name)) continue
    const having = Object.keys(kinds).filter((kind) => kinds[kind].fields?.includes(name))
    problems.push(`${field}.${name}: must be absent, only gates of ${having.join(' and ')} have one`)
  }
}

/** @param {any[]} hints @param {string[]} problems */
function lookAtSourceHints (hints, problems) {
  hints.forEach((hint, index) => {
    const look = lookInto(hint, `sourceHints[${index}]`, problems)
    look('pattern', regExp)
    look('unless', optional(regExp))
    look('warning', line)
    look.nothingElse()
  })
}

/** @param {any[]} items @param {string} field @param {string[]} problems */
function lookForTwins (items, field, problems) {
  const names = items.map((item) => item?.name)
  names.forEach((name, index) => {
    if (typeof name === 'string' && names.indexOf(name) !== index) {
      problems.push(`${field}[${index}].name: must differ from the others, ${quote(name)} is taken`)
    }
  })
}

/**
 * A rule returns what a value must be; undefined where it is valid.
 *
 * @typedef {(value: any) => string | undefined} Rule
 */

/**
 * @param {any} thing
 * @param {string} prefix
 * @param {string[]} problems
 */
function lookInto (thing, prefix, problems) {
  /** @type {string[]} */
  const known = []
  /** @param {string} key */
  const fieldOf = (key) => prefix ? `${prefix}.${key}` : key
  if (!isObject(thing)) problems.push(`${prefix}: must be an object, got ${quote(thing)}`)

  /** @param {string} key @param {Rule} rule */
  const look = (key, rule) => {
    known.push(key)
    if (!isObject(thing)) return
    const must = rule(thing[key])
    if (must) problems.push(`${fieldOf(key)}: must be ${must}, got ${quote(thing[key])}`)
  }
  look.nothingElse = () => {
    for (const key of isObject(thing) ? Object.keys(thing) : []) {
      if (known.includes(key)) continue
      const [near] = nearest(key, known, { limit: 1 })
      problems.push(`${fieldOf(key)}: there is no such field${near ? `, did you mean "${near}"?` : ''}`)
    }
  }
  return look
}

/** @type {Rule} */
const line = (value) =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\n') ? undefined : 'a line of text'
/** @type {Rule} */
const absent = (value) => value === undefined ? undefined : 'absent where nothing is touched'
/** @type {Rule} */
const boolean = (value) => typeof value === 'boolean' ? undefined : 'true or false'
/** @type {Rule} */
const isFunction = (value) => typeof value === 'function' ? undefined : 'a function'
/** @type {Rule} */
const regExp = (value) => value instanceof RegExp ? undefined : 'a regular expression'
/** @type {Rule} */
const object = (value) => isObject(value) ? undefined : 'an object'
/** @type {Rule} */
const filledObject = (value) =>
  isObject(value) && Object.keys(value).length > 0 ? undefined : 'an object with at least one field'
/** @type {Rule} */
const list = (value) => Array.isArray(value) ? undefined : 'a list'
/** @type {Rule} */
const filledList = (value) => Array.isArray(value) && value.length > 0 ? undefined : 'a list with at least one item'
/** @type {Rule} */
const target = (value) => typeof value === 'function' || (Number.isFinite(value) && value > 0)
  ? undefined
  : 'a number above 0, or a function of the machine'
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

/** @param {Rule} rule @returns {Rule} */
const optional = (rule) => (value) => value === undefined ? undefined : rule(value)
/** @param {number} low @returns {Rule} */
const wholeFrom = (low) => (value) => Number.isInteger(value) && value >= low ? undefined : `a whole number from ${low}`
/** @param {number} low @returns {Rule} */
const from = (low) => (value) => Number.isFinite(value) && value >= low ? undefined : `a number from ${low}`
/** @param {number} low @returns {Rule} */
const above = (low) => (value) => Number.isFinite(value) && value > low ? undefined : `a number above ${low}`
/** @param {string[]} names @param {string} what @returns {Rule} */
const oneOf = (names, what) => (value) => names.includes(value)
  ? undefined
  : `${what} (${names.map(quote).join(', ')})`

/** @param {any} value @returns {any[]} */
function itemsOf (value) {
  return Array.isArray(value) ? value : []
}

/** @param {any} value @returns {value is Record<string, any>} */
function isObject (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param {any} value */
function quote (value) {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return `"${value}"`
  return Array.isArray(value) ? 'a list' : typeof value === 'object' && value !== null ? 'an object' : String(value)
}
