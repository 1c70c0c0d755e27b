import { derived } from './rules.js'

/**
 * The words of the text that promise a rule: the row of its route, or the sentence that a derived rule looks for. Pure.
 *
 * @import { Check, Operation } from '../../runner/lesson/index.js'
 * @import { ParsedRoute } from './types.js'
 *
 * @typedef {{ rule: string, row?: string, words?: RegExp }} Promised row: the name of a route
 */

/**
 * Every rule that the lesson demands, and where to look for its words.
 *
 * @param {readonly ParsedRoute[]} routes
 * @param {Record<string, Operation>} operations
 * @param {readonly Check[]} contract
 * @returns {Promised[]}
 */
export function promisedRules (routes, operations, contract) {
  const known = new Map(Object.values(derived).map((one) => [one.rule, one]))
  const rows = new Map(routes.flatMap(({ name, rule, wrongRule = rule }) => [[rule, name], [wrongRule, name]]))
  const effects = new Map(routes.map(({ effect }) => [effect, /[^.|]*very next read[^.:]*/i]))
  const demanded = [
    ...Object.values(operations).flatMap(({ rule, effect = rule }) => [rule, effect]),
    ...contract.map(({ name }) => name)
  ]
  return [...new Set(demanded)].map((rule) =>
    ({ rule, row: rows.get(rule), words: known.get(rule)?.words ?? effects.get(rule) }))
}

/**
 * @param {string} markdown
 * @param {readonly Promised[]} rules
 * @param {Record<string, string>} promised what the author says
 * @returns {Record<string, string>} words by rule; without those that the text does not have
 */
export function findPromises (markdown, rules, promised) {
  const text = markdown.replace(/[*`]/g, '')
  const flat = text.replace(/\n\|/g, '.\n|').replace(/\s+/g, ' ')
  const rowOf = (/** @type {string} */ name) => text.split('\n').find((line) => line.startsWith(`| ${name} |`))
    ?.split('|').slice(1, -1).map((cell) => cell.trim()).join(' | ')
  const found = rules.flatMap(({ rule, row, words }) => {
    const said = row === undefined ? words && words.exec(flat)?.[0] : rowOf(row)
    return said ? [[rule, said.trim()]] : []
  })
  return { ...Object.fromEntries(found), ...promised }
}
