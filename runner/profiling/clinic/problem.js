import { withoutClinic } from './find.js'

/**
 * Why there is no page, as a sentence. Pure.
 *
 * @param {string} name of clinic's tool
 * @param {string} output what clinic and the server wrote
 * @returns {string}
 */
export function clinicProblem (name, output) {
  if (supportsNoCluster(output)) {
    return `clinic ${name} does not look into a cluster, and stops a server that forks one. \`--tool cpu\` records ` +
      'all of its processes.'
  }
  const line = output
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /\berror\b|error:|no data found|empty/i.test(line))
  return `clinic ${name} wrote no page${line === undefined ? '' : `: ${withoutDot(line)}`}. \`--tool ` +
    `${withoutClinic[name]}\` shows much the same without it.`
}

/** @param {string} output */
export function supportsNoCluster (output) {
  return /does not support clustering/.test(output)
}

/** @param {string} line */
function withoutDot (line) {
  return line.slice(0, 200).replace(/\.$/, '')
}
