import { WorkshopError } from '../../errors.js'
import { workspaceRoot } from '../../lesson/index.js'
import { askSeat, predict, seatInRoom } from '../../seat/index.js'
import { say } from '../say.js'

/** @import { Given } from '../say.js' */

export const options = {}

export const maxPositionals = 1

export const usage = 'npm run predict [FACTOR]'

export const help = `Predict by what factor your server will beat the slow one, in your class's current lesson.
The projector shows the factor as a dot, without your name. Without a factor, this shows the question.`

/** @param {Given} given */
export async function run ({ positionals: [text], stdout, env }) {
  const ratio = text === undefined ? null : factorIn(text)
  const workspace = workspaceRoot(env)
  const { lessons, prediction } = await askSeat(await seatInRoom(workspace), workspace)
  const lesson = lessons.find(({ id }) => id === prediction?.lesson)
  if (prediction === null || lesson === undefined) {
    throw new WorkshopError('There’s nothing to predict now: wait until your instructor sets the class’s lesson.')
  }
  if (ratio !== null) {
    await predict(workspace, { lesson: lesson.id, ratio })
    say(stdout, `You predict ${ratio}× for lesson ${lesson.number}: a dot on the wall, without your name.`)
    return 0
  }
  const said = prediction.ratio === null ? 'You haven’t predicted it' : `You predicted ${prediction.ratio}×`
  const how = prediction.ratio === null ? '`npm run predict 5` says 5×' : '`npm run predict FACTOR` changes that'
  say(stdout, `Lesson ${lesson.number}: by what factor will your server beat the slow one in “${prediction.gate}”?`,
    prediction.isOpen ? `${said}: ${how}.` : `${said}, and you’ve passed the lesson.`)
  return 0
}

/** @param {string} text `5`, `2.5x` */
function factorIn (text) {
  const [, number] = /^(\d+(?:[.,]\d+)?)[x×]?$/.exec(text) ?? []
  if (number === undefined) throw new WorkshopError(`"${text}" isn’t a factor: \`npm run predict 5\` says 5×.`)
  return Number(number.replace(',', '.'))
}
