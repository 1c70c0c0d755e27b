import { createInterface } from 'node:readline/promises'
import { WorkshopError } from '../../errors.js'
import { lessonsRoot, workspaceRoot } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'
import { joinRoom, prepareToJoin } from '../../seat/index.js'
import { readWhatIsSent } from '../../what-is-sent.js'
import { workshopRoot } from '../../workshop.js'
import { say } from '../say.js'

/** @import { Given } from '../types.js' */

const text = { type: /** @type {const} */ ('string') }
const flag = { type: /** @type {const} */ ('boolean') }

export const options = { name: text, nickname: text, board: flag, yes: flag }

export const maxPositionals = 1

export const usage = 'npm run join http://ADDRESS/CODE -- --name "Ada" [--nickname N] [--board] [--yes]'

export const help = `Join an instructor's room: from then on each check also reports its figures.
It shows what is sent before it asks (docs/privacy.md). npm run leave takes everything back.

  --name NAME       how the instructor knows me
  --nickname NAME   what the others call me, on the board
  --board           show my best result of the last lesson on the board
  --yes             do not ask`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env, signal }) {
  const workspace = workspaceRoot(lessonsRoot(env), env)
  const room = await prepareToJoin(positionals[0], workspace)
  const { name, nickname, board = false } = values
  if (!name?.trim()) {
    throw new WorkshopError(`Say who you are, as in \`npm run join ${positionals[0]} -- --name "Ada"\`.`)
  }
  stdout.write(`${await markdownText(await readWhatIsSent(), { stream: stdout, dir: workshopRoot })}\n\n`)
  if (!values.yes && !await isWanted({ stdout, signal })) {
    say(stdout, 'You haven’t joined, and nothing was sent.')
    return 1
  }
  const answer = await joinRoom(room, { name, nickname, board }, workspace)
  const onBoard = board ? `, on the board as ${answer.nickname ?? answer.name}` : ''
  say(stdout, `You are in, as ${answer.name}${onBoard}. Carry on as before: each check is now reported.`)
  if (answer.room.message) say(stdout, `The instructor says: ${answer.room.message}`)
  return 0
}

/** @param {Pick<Given, 'stdout' | 'signal'>} given */
async function isWanted ({ stdout, signal }) {
  if (!process.stdin.isTTY) throw new WorkshopError('You can’t be asked here: --yes says that you want to join.')
  const lines = createInterface({ input: process.stdin, output: /** @type {any} */ (stdout) })
  try {
    return /^y(es)?$/i.test((await lines.question('Join? (y/N) ', { signal })).trim())
  } finally {
    lines.close()
  }
}
