import { WorkshopError } from '../errors.js'

/**
 * An error for the learner: one sentence, with the stack only on request.
 *
 * @param {any} error
 * @param {NodeJS.ProcessEnv} env `MAKE_IT_FAST_DEBUG=1` adds the stack
 * @returns {string}
 */
export function explain (error, env) {
  const sentence = sentenceFor(error)
  return env.MAKE_IT_FAST_DEBUG === '1' && error?.stack ? `${sentence}\n${error.stack}` : sentence
}

/** @param {any} error */
function sentenceFor (error) {
  if (error instanceof WorkshopError) return error.message
  const missing = error?.code === 'ERR_MODULE_NOT_FOUND' && /Cannot find package '([^']+)'/.exec(error.message)
  if (missing) return `The package ${missing[1]} is not installed: run \`npm ci\` in the workshop’s folder.`
  // An author's function: a lesson is no part of the workshop's engine.
  const [, place] = /[\\/](lessons[\\/]\d[^\\/]*[\\/][^\n]*?\.js:\d+)/.exec(error?.stack ?? '') ?? []
  if (place !== undefined) {
    const shown = place.replaceAll('\\', '/')
    return `The lesson can’t be used: ${error.message} (${shown}). Correct it there, or report it.`
  }
  return 'This is a bug in the workshop, not in your server (MAKE_IT_FAST_DEBUG=1 shows where): ' +
    (error?.message ?? String(error))
}
