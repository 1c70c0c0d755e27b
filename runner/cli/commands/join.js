import { WorkshopError } from '../../errors.js'
import { findLessons, workspaceRoot } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'
import { changeOwnSeat, joinRoom, passedBefore, prepareToJoin, reportEarlier, saidBy } from '../../seat/index.js'
import { readWhatIsSent } from '../../seat-and-room.js'
import { workshopRoot } from '../../workshop.js'
import { ask, say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Flag} */
const text = { type: 'string' }
/** @type {Flag} */
const flag = { type: 'boolean' }

/** @type {Record<string, Flag>} */
export const options = { name: text, nickname: text, board: flag, 'no-board': flag, earlier: flag, yes: flag }

export const maxPositionals = 1

export const usage = 'npm run join http://ADDRESS/CODE -- --name "Ada" [--nickname N] [--board] [--earlier] [--yes], ' +
  'or npm run join -- --board'

export const help = `Join an instructor's room: from then on each check also reports its figures.
It shows what is sent before it asks (docs/privacy.md). npm run leave takes everything back.

  --name NAME       the name your instructor knows you by
  --nickname NAME   what the board calls you
  --board           show your best result in the last lesson on the board
  --earlier         also send what you've passed before
  --yes             don't ask

In a room, npm run join -- --board, --no-board, --nickname NAME or --name NAME changes your seat; nothing is deleted.`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env, signal }) {
  const workspace = workspaceRoot(env)
  const isChange = ['name', 'nickname', 'board', 'no-board'].some((one) => values[one] !== undefined)
  if (positionals.length === 0 && isChange) return change(workspace, values, stdout)
  const room = await prepareToJoin(positionals[0], workspace)
  const { name, nickname, board = false } = values
  if (!name?.trim()) {
    throw new WorkshopError(`Say who you are, as in \`npm run join ${positionals[0]} -- --name "Ada"\`.`)
  }
  stdout.write(`${await markdownText(await readWhatIsSent(), { stream: stdout, dir: workshopRoot })}\n\n`)
  const asking = { stdout, signal, unasked: 'You can’t be asked here: --yes says that you want to join.' }
  if (!values.yes && !await ask('Join?', asking)) {
    say(stdout, 'You haven’t joined, and nothing was sent.')
    return 1
  }
  const answer = await joinRoom(room, { name, nickname, board }, workspace)
  const onBoard = board ? `, on the board as ${answer.nickname ?? answer.name}` : ''
  const passes = await passedBefore(await findLessons({ env }))
  const lessons = new Set(passes.map(({ lesson }) => lesson.id)).size
  const counted = lessons === 1 ? '1 lesson' : `${lessons} lessons`
  const question = `You have passed ${counted} before. Send this, too?`
  const isSent = lessons > 0 &&
    (values.earlier === true || (!values.yes && await ask(question, { ...asking, isYes: true })))
  say(stdout, `You are in, as ${answer.name}${onBoard}. Carry on as before: each check is now reported.`)
  if (isSent) say(stdout, ...await reportEarlier(workspace, passes))
  say(stdout, ...saidBy(answer.room))
  return 0
}

/**
 * @param {string} workspace
 * @param {Given['values']} values
 * @param {Given['stdout']} stdout
 */
async function change (workspace, { name, nickname, board, 'no-board': noBoard }, stdout) {
  const wish = noBoard ? false : board
  const changed = await changeOwnSeat(workspace, { name, nickname, board: wish })
  say(stdout, `You are ${changed.name}, ${changed.board
    ? `on the board as ${changed.nickname ?? changed.name}`
    : 'not on the board'}. All that you have reported stays.`)
  return 0
}
