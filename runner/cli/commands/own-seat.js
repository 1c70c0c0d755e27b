import path from 'node:path'
import { WorkshopError } from '../../shared/errors.js'
import { plural } from '../../shared/format.js'
import { findLessons, loadLesson, resolveLesson, workspaceRoot } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'
import {
  askSeat, changeHand, changeOwnSeat, exportText, filesToSubmit, hearRoom, joinRoom, leaveRoom, passedBefore,
  predict as sendPrediction, prepareToJoin, reportEarlier, saidBy, seatForExport, seatInRoom, submitFiles
} from '../../seat/index.js'
import { shownPath } from '../../shared/text.js'
import { readWhatIsSent } from '../../shared/seat-and-room.js'
import { workshopRoot } from '../../shared/workshop.js'
import { nextRow, openCopy, readRows, writeFileAtomic } from '../../workspace/index.js'
import { ask, flag, say, text } from '../say.js'

/**
 * A learner's commands for their seat in an instructor's room.
 *
 * @import { Command, Given } from '../say.js'
 */

/** @type {Command} */
export const join = {
  options: { name: text, nickname: text, board: flag, 'no-board': flag, earlier: flag, yes: flag },
  maxPositionals: 1,
  usage: 'npm run join http://ADDRESS/CODE -- --name "Ada" [--nickname N] [--board] [--earlier] [--yes], ' +
    'or npm run join -- --board',
  help: `Join an instructor's room: from then on each check also reports its numbers.
It shows what is sent before it asks (docs/privacy.md). npm run leave takes everything back.

  --name NAME       the name your instructor knows you by
  --nickname NAME   what the board calls you
  --board           show your best result in the last lesson on the board
  --earlier         also send what you've passed before
  --yes             don't ask

In a room, npm run join -- --board, --no-board, --nickname NAME or --name NAME changes your seat; nothing is deleted.`,

  async run ({ values, positionals: [address], stdout, env, signal }) {
    const workspace = workspaceRoot(env)
    const isChange = ['name', 'nickname', 'board', 'no-board'].some((one) => values[one] !== undefined)
    if (address === undefined && isChange) return changeSeat(workspace, values, stdout)
    const room = await prepareToJoin(address, workspace)
    const { name, nickname, board = false } = values
    if (!name?.trim()) {
      throw new WorkshopError(`Say who you are, as in \`npm run join ${address} -- --name "Ada"\`.`)
    }
    stdout.write(`${markdownText(await readWhatIsSent(), { stream: stdout, dir: workshopRoot })}\n\n`)
    const asking = { stdout, signal, unasked: 'You can’t be asked here: --yes says that you want to join.' }
    if (!values.yes && !await ask('Join?', asking)) {
      say(stdout, 'You haven’t joined, and nothing was sent.')
      return 1
    }
    const answer = await joinRoom(room, { name, nickname, board }, workspace)
    const onBoard = board ? `, on the board as ${answer.nickname ?? answer.name}` : ''
    const passes = await passedBefore(await findLessons({ env }))
    const lessons = new Set(passes.map(({ lesson }) => lesson.id)).size
    const question = `You have passed ${plural(lessons, 'lesson')} before. Send this, too?`
    const isSent = lessons > 0 &&
      (values.earlier === true || (!values.yes && await ask(question, { ...asking, isYes: true })))
    say(stdout, `You are in, as ${answer.name}${onBoard}. Carry on as before: each check is now reported.`)
    if (isSent) say(stdout, ...await reportEarlier(workspace, passes))
    say(stdout, ...saidBy(answer.room))
    return 0
  }
}

/** @param {string} workspace @param {Given['values']} values @param {Given['stdout']} stdout */
async function changeSeat (workspace, { name, nickname, board, 'no-board': noBoard }, stdout) {
  const changed = await changeOwnSeat(workspace, { name, nickname, board: noBoard ? false : board })
  say(stdout, `You are ${changed.name}, ${changed.board
    ? `on the board as ${changed.nickname ?? changed.name}`
    : 'not on the board'}. All that you have reported stays.`)
  return 0
}

/** @type {Command} */
export const leave = {
  options: { forget: flag },
  maxPositionals: 0,
  usage: 'npm run leave [-- --forget]',
  help: `Leave the room, which deletes your seat there, and everything that it knows about you.

  --forget   don't ask the room: only forget it here`,

  async run ({ values: { forget = false }, stdout, env }) {
    const wasIn = await leaveRoom(workspaceRoot(env), { forget })
    say(stdout, !wasIn
      ? 'You aren’t in a room, so there’s nothing to leave.'
      : forget
        ? 'The room is forgotten here. It still has all it knows about you.'
        : 'You have left. The room has deleted your seat and all its reports; your own results are as they were.')
    return 0
  }
}

/** @type {Command} */
export const hand = {
  options: { down: flag },
  maxPositionals: 1,
  usage: 'npm run hand [lesson-N] [-- --down]',
  help: `Raise your hand: your instructor sees that you'd like help, and with which lesson.
Without a lesson it's the one that \`npm run next\` shows. The browser has a button for it.

  --down   lower it again`,

  async run ({ values, positionals: [name], stdout, stderr, env }) {
    const isUp = values.down !== true
    const lesson = !isUp ? null : name === undefined ? await lessonNow(env, stderr) : await resolveLesson(name, { env })
    await changeHand(workspaceRoot(env), { isUp, lesson: lesson?.id })
    const about = lesson === null ? '' : ` for lesson ${lesson.number}`
    say(stdout, isUp
      ? `Your hand is up${about}: the instructor sees it. \`npm run hand -- --down\` takes it back.`
      : 'Your hand is down.')
    return 0
  }
}

/** As `next` finds it; null: all are passed. @param {NodeJS.ProcessEnv} env @param {Given['stderr']} stderr */
async function lessonNow (env, stderr) {
  const rows = await readRows(await findLessons({ env }), stderr)
  const room = await hearRoom(workspaceRoot(env))
  return rows.find(({ id, state }) => id === room?.current?.lesson && state !== 'pass') ?? nextRow(rows)
}

/** @type {Command} */
export const predict = {
  options: {},
  maxPositionals: 1,
  usage: 'npm run predict [FACTOR]',
  help: `Predict by what factor your server will beat the slow one, in your class's current lesson.
The projector shows the factor as a dot, without your name. Without a factor, this shows the question.`,

  async run ({ positionals: [factor], stdout, env }) {
    const ratio = factor === undefined ? null : factorIn(factor)
    const workspace = workspaceRoot(env)
    const { lessons, prediction } = await askSeat(await seatInRoom(workspace), workspace)
    const lesson = lessons.find(({ id }) => id === prediction?.lesson)
    if (prediction === null || lesson === undefined) {
      throw new WorkshopError('There’s nothing to predict now: wait until your instructor sets the class’s lesson.')
    }
    if (ratio !== null) {
      await sendPrediction(workspace, { lesson: lesson.id, ratio })
      say(stdout, `You predict ${ratio}× for lesson ${lesson.number}: a dot on the wall, without your name.`)
      return 0
    }
    const said = prediction.ratio === null ? 'You haven’t predicted it' : `You predicted ${prediction.ratio}×`
    const how = prediction.ratio === null ? '`npm run predict 5` says 5×' : '`npm run predict FACTOR` changes that'
    say(stdout, `Lesson ${lesson.number}: by what factor will your server beat the slow one in “${prediction.gate}”?`,
      prediction.isOpen ? `${said}: ${how}.` : `${said}, and you’ve passed the lesson.`)
    return 0
  }
}

/** @param {string} factor `5`, `2.5x` */
function factorIn (factor) {
  const [, number] = /^(\d+(?:[.,]\d+)?)[x×]?$/.exec(factor) ?? []
  if (number === undefined) throw new WorkshopError(`"${factor}" isn’t a factor: \`npm run predict 5\` says 5×.`)
  return Number(number.replace(',', '.'))
}

/** @type {Command} */
export const submit = {
  options: { yes: flag },
  maxPositionals: 1,
  usage: 'npm run submit lesson-N [-- --yes]',
  help: `Hand in your server for a lesson: the class measures it again on its own machine.
Needs a seat in an instructor's room. It shows which files it sends before it asks. The same
command shows the result later.

  --yes   don't ask`,

  async run ({ values, positionals: [name], stdout, env, signal }) {
    const entry = await loadLesson(await resolveLesson(name, { env }))
    const workspace = workspaceRoot(env)
    await seatInRoom(workspace)
    const { dir } = await openCopy(entry)
    const files = await filesToSubmit(dir)
    say(stdout, `These files of ${entry.folder} go to the room:`)
    for (const { path: file, text: code } of files) {
      stdout.write(`  ${file}, ${Math.ceil(Buffer.byteLength(code) / 1024)} kB\n`)
    }
    const unasked = 'You can’t be asked here: --yes says that you want to submit them.'
    if (!values.yes && !await ask('Submit them?', { stdout, signal, unasked })) {
      say(stdout, 'Nothing was sent.')
      return 1
    }
    say(stdout, await submitFiles(workspace, { lesson: entry.id, files }))
    return 0
  }
}

/** @type {Command} */
export const exportResults = {
  options: { name: text, file: text },
  maxPositionals: 0,
  usage: 'npm run export [-- --name "Ada"] [--file FILE]',
  help: `Write your results into one file, for an instructor whose room you can't reach.
It holds the same numbers that a room gets (docs/privacy.md), and no source code.

  --name NAME   the name your instructor knows you by, if you aren't in a room
  --file FILE   default workspace/results-for-the-room.json`,

  async run ({ values: { name, file: given }, stdout, env }) {
    const workspace = workspaceRoot(env)
    const seat = await seatForExport(workspace, name)
    const exported = await exportText({ seat, workspace, entries: await findLessons({ env }) })
    const file = given ?? path.join(workspace, 'results-for-the-room.json')
    await writeFileAtomic(file, exported.text)
    say(stdout, `${plural(exported.count, 'check')} of ${seat.name}: ${shownPath(path.resolve(file))}`,
      'Hand this file to your instructor.')
    return 0
  }
}
