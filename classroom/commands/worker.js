import { followRedis, readRedisUrl } from '../queue/index.js'
import { flag, say, text } from '../../runner/cli/index.js'

/**
 * @import { prepareWorker } from './grading.js'
 * @import { Command, Given } from '../../runner/cli/index.js'
 */

/** @satisfies {Command} */
export const worker = {
  options: { redis: text, name: text, 'no-sandbox': flag },
  maxPositionals: 0,
  stays: true,
  usage: 'npm run worker -- --redis URL [--name NAME] [--no-sandbox]',
  help: `For instructors: grade on this machine what learners submit to rooms elsewhere. It measures this
machine first. Ctrl-C ends it; an unfinished submission goes back into the queue.

  --redis URL    the Redis that the rooms were opened with, as in rediss://redis.example:6379 (redis:// is without
                 TLS). All users of this machine may read a password in it: put such a URL into the variable
                 REDIS_URL instead, as in REDIS_URL="$(cat redis-url)" npm run worker
  --name NAME    what the instructor's page calls this machine
  --no-sandbox   where there is no sandbox, submissions run with your rights, and results aren't verified`,

  /** @param {Given} given @param {typeof prepareWorker} [prepare] */
  async run ({ values, stdout, env, signal }, prepare) {
    const { redis, name, 'no-sandbox': isSandboxOptional } = values
    const url = readRedisUrl(redis ?? env.REDIS_URL)
    const tell = createTeller(stdout)
    prepare ??= (await import('./grading.js')).prepareWorker
    const grader = await prepare({ name, isSandboxOptional, env, signal, tell })
    // Without what may be secret in it.
    say(stdout, `Ready for submissions, from Redis at ${new URL(url).host}. Ctrl-C ends it.`)
    await followRedis({ url, worker: grader, signal, onFault: ({ message }) => tell(`Redis: ${message}`) })
    return 0
  }
}

/** The same sentence once in a row. @param {Given['stdout']} stdout */
function createTeller (stdout) {
  let last = ''
  return (/** @type {string} */ sentence) => {
    if (sentence !== last) say(stdout, sentence)
    last = sentence
  }
}
