/**
 * One result record, or a list of them or of grades, as JSON. It may be printed to a terminal: control and
 * bidirectional characters are escaped, which changes nothing for a JSON parser.
 *
 * @param {object} records
 * @returns {string} pretty JSON with a newline at its end; each record is valid against result.schema.json
 */
export function jsonReport (records) {
  return `${JSON.stringify(records, null, 2).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, escaped)}\n`
}

/** @param {string} character of one or two code units */
function escaped (character) {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
