/** @import { ResultRecord } from '../judge/index.js' */

/**
 * The record as JSON. It may be printed to a terminal: control and bidirectional characters are written as escapes,
 * which changes nothing for a JSON parser.
 *
 * @param {ResultRecord} record
 * @returns {string} pretty JSON, valid against result.schema.json, with a newline at its end
 */
export function jsonReport (record) {
  const json = JSON.stringify(record, null, 2)
  return json.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) =>
      '\\u' + character.charCodeAt(at).toString(16).padStart(4, '0')).join('')) + '\n'
}
