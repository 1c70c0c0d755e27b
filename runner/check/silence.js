import { seeWhatHangs } from '../inside/index.js'
import { createRandom } from '../random.js'

/**
 * Why a server did not answer, or did not get as far as listening: where it is stuck.
 *
 * @import { Decision, Evidence } from '../judge/index.js'
 * @import { Item, Lesson } from '../lesson/index.js'
 * @import { ServerFolder, Session } from '../process/index.js'
 */

/** A stream soon repeats what it asks. */
const mostDrawn = 200
const silence = /(?:([A-Z]+ \/\S*): )?no answer within/
const notListening = /^server\.js did not listen on process\.env\.PORT within/

/**
 * Takes about 3 s, and only where an answer did not come.
 *
 * @param {{ session: Session, submission: ServerFolder, lesson: Lesson }} context
 * @param {Evidence} evidence
 * @returns {Promise<Pick<Decision, 'reason' | 'next'> | null>} null: nothing was silent, or nothing more is known
 */
export async function explainSilence ({ session, submission, lesson }, evidence) {
  const { startFailure, contract, problems } = evidence
  const said = startFailure ?? contract.find(({ status }) => status === 'fail')?.message ?? problems[0] ?? ''
  const isMute = startFailure !== null && notListening.test(said)
  if (evidence.crash !== null || !(isMute || (startFailure === null && silence.test(said)))) return null
  const line = silence.exec(said)?.[1] ?? null
  const why = await seeWhatHangs({
    request: isMute ? null : requestFor(lesson, session, line),
    start: async (options) => (await session.start('yours', submission, options)).server
  })
  if (why === null) return null
  const what = isMute ? 'server.js never gets as far as listening' : `${line ?? 'A request'} got no answer`
  return {
    reason: `${what}: ${why}`,
    next: 'Follow it through your code: what would have to happen for it to go on?'
  }
}

/**
 * A request like the one that got no answer, with its body.
 *
 * @param {Lesson} lesson
 * @param {Session} session
 * @param {string | null} line `GET /movies`; null: any
 * @returns {Item}
 */
export function requestFor ({ loads, model }, { data, seed }, line) {
  for (const { stream } of Object.values(loads)) {
    const next = stream({ random: createRandom(`${seed}/stuck`), data, model: model?.({ data }) })
    for (let drawn = 0; drawn < mostDrawn; drawn++) {
      const item = next()
      if (line === null || `${item.method ?? 'GET'} ${item.path}` === line) return item
    }
  }
  // A long path is told shortened, and no request can hold the sign of that.
  const [method, path] = String(line).split(' ')
  return { method, path: path.replace('…', ''), check: () => undefined }
}
