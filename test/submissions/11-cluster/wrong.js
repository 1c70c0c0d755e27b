import { patch } from '../apply.js'

export const on = 'base'

const atDeath = 'goes on as before when its workers die, replaces each one, and exits with all of them'
const fiveWrong = 'allows a name five wrong PINs in all its processes together, even many at once'
const oldHut = 'never shows a hut as it was before a change, and never half of one'

export default [
  {
    name: 'all-restarted',
    why: 'The death of one worker ends all others: every request that is under way is lost.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker) => {
      +    // Nobody knows what state the others are in: begin afresh with all of them.
      +    if (!worker.replaced) {
      +      for (const other of Object.values(cluster.workers)) {
      +        other.replaced = true
      +        other.process.kill('SIGKILL')
      +        cluster.fork()
      +      }
      +      cluster.fork()
      +    }
      +  })
    `
  },
  {
    name: 'asks-the-dead',
    why: 'A change is made when as many workers have forgotten the hut as were ever started; it fails after 2 s.',
    by: atDeath,
    change: patch`
      -  cluster.on('message', (worker, { id, call, args }) => {
      +  let started = 0
      +  cluster.on('fork', () => { started++ })
      +  const changes = new Map()
      +  cluster.on('message', (worker, { id, call, args, forgot }) => {
      +    if (forgot) {
      +      const change = changes.get(forgot)
      +      if (--change.left === 0) change.worker.send({ id: change.id }, () => {})
      +      return
      +    }
      +    if (call === 'forget') {
      +      const change = \`\${worker.id} \${id}\`
      +      changes.set(change, { worker, id, left: started })
      +      for (const one of Object.values(cluster.workers)) one.send({ forget: args[0], change }, () => {})
      +      return
      +    }
      @@
      -  process.on('message', ({ id, result }) => {
      +  process.on('message', ({ id, result, forget, change }) => {
      +    if (forget) {
      +      kept.delete(forget)
      +      process.send({ forgot: change })
      +      return
      +    }
      @@
      -    'PUT /huts' (req, body, id) {
      +    async 'PUT /huts' (req, body, id) {
      @@
             write(\`hut-\${id}.json\`, { ...hut, beds })
      +      await new Promise((resolve, reject) => {
      +        ask('forget', id).then(resolve)
      +        setTimeout(reject, 2000)
      +      })
      @@
      +const kept = new Map()
      +
       function readHut (id) {
      +  if (!kept.has(id)) kept.set(id, readFile(id))
      +  return kept.get(id)
      +}
      +
      +function readFile (id) {
    `
  },
  {
    name: 'asks-then-counts',
    why: 'It asks how many wrong PINs there were, and tells the primary of one more: many at once are all allowed.',
    by: fiveWrong,
    change: patch`
      -    tryPin (name) {
      -…
      -    },
      +    countWrong: (name) => wrongPins.set(name, (wrongPins.get(name) ?? 0) + 1).size,
      @@
      -      const isAllowed = await ask(isRight ? 'rightPin' : 'tryPin', name)
      +      const isAllowed = await ask('rightPin', name)
      @@
      -      if (!isRight) return [401, { error: 'bad_credentials' }]
      +      if (!isRight) {
      +        await ask('countWrong', name)
      +        return [401, { error: 'bad_credentials' }]
      +      }
    `
  },
  {
    name: 'at-most-500-names',
    why: 'The wrong PINs of the last 500 names are counted, so that a guesser can have the oldest forgotten.',
    by: fiveWrong,
    change: patch`
             wrongPins.set(name, wrong + 1)
      +      if (wrongPins.size > 500) wrongPins.delete(wrongPins.keys().next().value)
    `
  },
  {
    name: 'back-off',
    why: 'Each death makes the next replacement wait twice as long, so the fifth worker is missing for three seconds.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  let waitMs = 100
      +  cluster.on('exit', () => setTimeout(() => cluster.fork(), waitMs *= 2))
    `
  },
  {
    name: 'beds-alone-in-the-file',
    on: 'solution',
    why: 'A hut’s file has its beds alone after a change, and the name is lost with the process that knows it.',
    by: oldHut,
    change: patch`
      @@ worker.js
      -  return JSON.parse(readFileSync(fileOf(id), 'utf8'))
      +  const hut = JSON.parse(readFileSync(fileOf(id), 'utf8'))
      +  return { id: Number(id), name: names[id], ...hut }
      @@
      -  writeFileSync(draft, JSON.stringify(hut))
      +  writeFileSync(draft, JSON.stringify({ beds: hut.beds }))
      @@
      -const app = express()
      +const names = JSON.parse(process.env.HUT_NAMES)
      +const app = express()
      @@ primary.js
      -  const shared = sharedState()
      +  const shared = sharedState()
      +  const dir = process.env.DATA_DIR
      +  const nameOf = (id) => JSON.parse(readFileSync(path.join(dir, \`hut-\${id}.json\`))).name
      +  process.env.HUT_NAMES = JSON.stringify(Array.from({ length: 13 }, (_, id) => id > 0 ? nameOf(id) : ''))
      @@
      -import { availableParallelism } from 'node:os'
      +import { readFileSync } from 'node:fs'
      +import { availableParallelism } from 'node:os'
      +import path from 'node:path'
    `
  },
  {
    name: 'body-merged',
    on: 'solution',
    why: 'A change takes all that the body has: with it comes another name, or id.',
    change: patch`
      @@ worker.js
      -  const changed = { ...hut, beds }
      +  const changed = { ...hut, ...req.body }
    `
  },
  {
    name: 'clean-end-not-replaced',
    why: 'Only a worker that ended with a fault is replaced: one that was asked to end is missing for good.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker, code) => code !== 0 && cluster.fork())
      @@
         const routes = routesOf(asker())
      +  process.on('SIGTERM', () => process.exit(0))
    `
  },
  {
    name: 'coarser-steps',
    why: 'The cluster is right, but the walk along each line of sight takes longer steps and misses summits.',
    by: 'computes the panorama of any place on the map, to the last digit',
    otherwise: { load: '/panorama/' },
    change: patch`
      @@ panorama.js
      -const STEP = 1
      +const STEP = 4
    `
  },
  {
    name: 'empty-is-missing',
    on: 'solution',
    why: 'An empty PIN is taken for none.',
    change: patch`
      @@ worker.js
      -  if (typeof name !== 'string' || typeof pin !== 'string') return \
        res.status(400).json({ error: 'invalid_login' })
      +  if (!name || !pin || typeof name !== 'string' || typeof pin !== 'string') {
      +    return res.status(400).json({ error: 'invalid_login' })
      +  }
    `
  },
  {
    name: 'ends-above-most-peaks',
    why: 'A line of sight ends where it’s above most ground, and misses a peak that is still higher.',
    by: 'computes the panorama of any place on the map, to the last digit',
    otherwise: { load: 'the skyline in direction' },
    change: patch`
      @@ panorama.js
      -  const end = (terrain.size - 1) * terrain.cell
      +  const end = (terrain.size - 1) * terrain.cell
      +  terrain.enough ??= (2 * Math.max(...terrain.heights) + Math.min(...terrain.heights)) / 3
      @@
      -    if (px < 0 || py < 0 || px >= end || py >= end) break
      +    if (px < 0 || py < 0 || px >= end || py >= end) break
      +    if (eye + steepest * distance > terrain.enough) break
    `
  },
  {
    name: 'every-second-ray',
    why: 'Only every second line of sight is walked. Those in between are guessed from their neighbours.',
    by: 'computes the panorama of any place on the map, to the last digit',
    otherwise: { load: 'the skyline in direction' },
    change: patch`
      @@ panorama.js
      -  for (let i = 0; i < DIRECTIONS; i++) {
      -    skyline.push(horizon(terrain, x, y, height + 2, i * 2 * Math.PI / DIRECTIONS))
      +  for (let i = 0; i < DIRECTIONS; i += 2) {
      +    skyline[i] = horizon(terrain, x, y, height + 2, i * 2 * Math.PI / DIRECTIONS)
      +    if (i > 0) skyline[i - 1] = Math.round((skyline[i - 2] + skyline[i]) / 2)
         }
      +  skyline.push(Math.round((skyline[0] + skyline[DIRECTIONS - 2]) / 2))
    `
  },
  {
    name: 'forgotten-a-second-later',
    why: 'Each worker keeps a hut for a second, whatever another one writes: an old one is shown for as long.',
    by: oldHut,
    change: patch`
      +const kept = new Map()
      +
       function readHut (id) {
      +  const known = kept.get(id)
      +  if (known?.until > Date.now()) return known.hut
      +  kept.set(id, { hut: readFile(id), until: Date.now() + 1000 })
      +  return kept.get(id).hut
      +}
      +
      +function readFile (id) {
      @@
         renameSync(\`\${file}.\${process.pid}\`, file)
      +  kept.clear()
    `
  },
  {
    name: 'forks-instead-of-ending',
    why: 'Asked to stop, it ends its workers, and puts a new one into the place of each: it never ends.',
    by: atDeath,
    change: patch`
         cluster.on('exit', () => cluster.fork())
      +  process.on('SIGTERM', () => Object.values(cluster.workers).forEach((worker) => worker.kill()))
    `
  },
  {
    name: 'gives-up-after-eight',
    why: 'Eight workers that die are replaced, and no further one: something must be wrong.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  let spare = 8
      +  cluster.on('exit', () => spare-- > 0 && cluster.fork())
    `
  },
  {
    name: 'half-a-hut',
    why: 'It writes into the file that another worker may be reading: that one finds it empty.',
    by: oldHut,
    otherwise: { load: '/huts/1' },
    change: patch`
      -import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
      +import { existsSync, readFileSync, writeFileSync } from 'node:fs'
      @@
      -  const file = path.join(DATA_DIR, name)
      -…
      -  renameSync(\`\${file}.\${process.pid}\`, file)
      +  writeFileSync(path.join(DATA_DIR, name), JSON.stringify(value))
    `
  },
  {
    name: 'huts-cached-per-worker',
    why: 'Each worker has its own cache of huts, and forgets only what it has written itself.',
    by: oldHut,
    change: patch`
      +const kept = new Map()
      +
       function readHut (id) {
      +  if (!kept.has(id)) kept.set(id, readFile(id))
      +  return kept.get(id)
      +}
      +
      +function readFile (id) {
      @@
         renameSync(\`\${file}.\${process.pid}\`, file)
      +  kept.clear()
    `
  },
  {
    name: 'key-in-the-source',
    why: 'Sessions are signed with a key that’s in the source: who knows it can make one up, and none ever ends.',
    by: 'knows a session in each of its processes',
    change: patch`
      -import { randomBytes } from 'node:crypto'
      +import { createHmac, randomBytes } from 'node:crypto'
      @@
      -      const session = randomBytes(24).toString('hex')
      -      await ask('keep', session, name)
      +      const session = signed(\`\${randomBytes(12).toString('hex')}.\${Buffer.from(name).toString('base64url')}\`)
      @@
      -      const name = session && await ask('nameOf', session)
      +      const text = session?.slice(0, session.lastIndexOf('.')) ?? ''
      +      const isOurs = session !== undefined && signed(text) === session
      +      const name = isOurs ? Buffer.from(text.split('.')[1], 'base64url').toString() : undefined
      @@
      -function readHut (id) {
      +function signed (text) {
      +  return \`\${text}.\${createHmac('sha256', 'hiking-club').update(text).digest('hex')}\`
      +}
      +
      +function readHut (id) {
    `
  },
  {
    name: 'key-without-separator',
    on: 'solution',
    why: 'Panoramas are kept by their numbers without a sign in between: 1234/567 is 123/4567.',
    change: patch`
      @@ worker.js
      -  res.json(panorama(terrain, x, y))
      +  const key = \`\${x}\${y}\`
      +  if (!kept.has(key)) kept.set(key, panorama(terrain, x, y))
      +  res.json(kept.get(key))
      @@
      -const app = express()
      +const kept = new Map()
      +const app = express()
    `
  },
  {
    name: 'left-behind',
    on: 'valid-render-processes',
    why: 'Those who compute do not listen to SIGTERM, and wait for a word of the one who serves. It ends without it.',
    by: atDeath,
    change: patch`
      @@ render.js
      -process.on('disconnect', () => process.exit())
      +// Ctrl-C goes to all processes. What is under way has to be finished first.
      +process.on('SIGTERM', () => {})
      +setInterval(() => console.log(process.pid, 'is well'), 60_000)
    `
  },
  {
    name: 'limit-per-worker',
    why: 'Each worker counts the wrong PINs that come to it: with two of them, ten are allowed.',
    by: fiveWrong,
    otherwise: { by: 'counts wrong PINs for each name, whichever process they come to' },
    change: patch`
         const pins = new Map(read('members.json'))
      +  const wrongPins = new Map()
      @@
      -      const isAllowed = await ask(isRight ? 'rightPin' : 'tryPin', name)
      -      if (!isAllowed) return [429, { error: 'too_many_wrong_pins' }]
      +      const wrong = wrongPins.get(name) ?? 0
      +      if (wrong >= 5) return [429, { error: 'too_many_wrong_pins' }]
      +      if (!isRight) wrongPins.set(name, wrong + 1)
    `
  },
  {
    name: 'malformed-counts',
    on: 'solution',
    why: 'A login without a PIN counts as a wrong one.',
    by: fiveWrong,
    change: patch`
      @@ worker.js
      -  if (typeof name !== 'string' || typeof pin !== 'string') return \
        res.status(400).json({ error: 'invalid_login' })
      +  if (typeof name !== 'string' || typeof pin !== 'string') {
      +    if (typeof name === 'string') await ask('logIn', name, false)
      +    return res.status(400).json({ error: 'invalid_login' })
      +  }
    `
  },
  {
    name: 'name-in-lower-case',
    on: 'solution',
    why: 'Wrong PINs are counted for a name in lower case: those of another name lock it.',
    by: fiveWrong,
    change: patch`
      @@ worker.js
      -  const { locked, session } = await ask('logIn', name, pins.get(name) === pin)
      +  const { locked, session } = await ask('logIn', name.toLowerCase(), pins.get(name) === pin)
    `
  },
  {
    name: 'names-with-one-secret',
    why: 'A session is a name and a secret that all of them share: who has one changes the name in it.',
    by: 'answers 401 without a session of its own',
    change: patch`
         const sessions = new Map()
      +  process.env.SECRET = randomBytes(24).toString('hex')
      @@
      -      const session = randomBytes(24).toString('hex')
      -      await ask('keep', session, name)
      +      const session = \`\${name}.\${process.env.SECRET}\`
      @@
      -      const name = session && await ask('nameOf', session)
      +      const [said, secret] = (session ?? '').split('.')
      +      const name = secret === process.env.SECRET ? said : undefined
    `
  },
  {
    name: 'never-replaced',
    why: 'A worker that dies is mentioned in the log and not replaced.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker) => console.error(\`worker \${worker.process.pid} is gone\`))
    `
  },
  {
    name: 'one-session-a-name',
    on: 'solution',
    why: 'A login ends the sessions that the same member has opened before.',
    change: patch`
      @@ primary.js
      -      sessions.set(session, name)
      +      for (const [old, other] of sessions) if (other === name) sessions.delete(old)
      +      sessions.set(session, name)
    `
  },
  {
    name: 'one-temporary-name',
    why: 'Two changes of one hut write into the same new file, and the second one finds nothing to rename.',
    by: oldHut,
    change: patch`
      +import { rename, writeFile } from 'node:fs/promises'
       import { availableParallelism } from 'node:os'
      @@
      -    'PUT /huts' (req, body, id) {
      +    async 'PUT /huts' (req, body, id) {
      @@
      -      write(\`hut-\${id}.json\`, { ...hut, beds })
      +      await write(\`hut-\${id}.json\`, { ...hut, beds })
      @@
      -function write (name, value) {
      +async function write (name, value) {
      @@
      -  writeFileSync(\`\${file}.\${process.pid}\`, JSON.stringify(value))
      -  renameSync(\`\${file}.\${process.pid}\`, file)
      +  await writeFile(\`\${file}.new\`, JSON.stringify(value))
      +  await rename(\`\${file}.new\`, file)
    `
  },
  {
    name: 'one-worker',
    why: 'There is a cluster, of one worker: still one core.',
    gate: 'processor use',
    change: patch`
      -import { availableParallelism } from 'node:os'
      @@
      -  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
      +  cluster.fork()
    `
  },
  {
    name: 'pin-by-number',
    on: 'solution',
    why: 'PINs are compared as numbers: 01234 is 1234.',
    change: patch`
      @@ worker.js
      -  const { locked, session } = await ask('logIn', name, pins.get(name) === pin)
      +  const { locked, session } = await ask('logIn', name, Number(pins.get(name)) === Number(pin))
    `
  },
  {
    name: 'pins-counted-by-hash',
    on: 'solution',
    why: 'Wrong PINs are counted in 16,384 bytes, by a hash of the name: those of another name lock it.',
    by: fiveWrong,
    change: patch`
      @@ primary.js
      +function placeOf (name) {
      +  let place = 0
      +  for (const letter of name) place = (place * 31 + letter.codePointAt(0)) % 16_384
      +  return place
      +}
      +
       function sharedState () {
         const sessions = new Map()
      -  const wrongPins = new Map()
      +  const wrongPins = new Uint8Array(16_384)
      @@
      -      const wrong = wrongPins.get(name) ?? 0
      +      const wrong = wrongPins[placeOf(name)]
      @@
      -        wrongPins.set(name, wrong + 1)
      +        wrongPins[placeOf(name)]++
    `
  },
  {
    name: 'place-misread',
    why: 'It reads a place as far as it has metres, and what comes after them is never seen.',
    change: patch`
      -      const [x, y] = place.map((text) => /^\d{1,5}$/.test(text) ? Number(text) : NaN)
      +      const [x, y] = place.map((text) => /^\d{1,5}/.test(text) ? parseInt(text) : NaN)
    `
  },
  {
    name: 'primary-dies',
    why: 'When a worker dies the primary ends, too, and leaves it to others to start all of it again.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', () => process.exit(1))
    `
  },
  {
    name: 'replaced-once',
    why: 'The first worker that dies is replaced, the second one is not.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.once('exit', () => cluster.fork())
    `
  },
  {
    name: 'right-pin-clears',
    why: 'A right PIN clears the counts of all names: whoever knows one PIN can go on guessing the others.',
    by: fiveWrong,
    change: patch`
      -    rightPin: (name) => (wrongPins.get(name) ?? 0) < 5,
      +    rightPin (name) {
      +      const isAllowed = (wrongPins.get(name) ?? 0) < 5
      +      if (isAllowed) wrongPins.clear()
      +      return isAllowed
      +    },
    `
  },
  {
    name: 'sessions-by-path',
    on: 'solution',
    why: 'A session is a file that has its name, which nobody looks at: a path lets anyone in.',
    by: 'answers 401 without a session of its own',
    change: patch`
      @@ worker.js
      -import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
      +import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
      @@
       const app = express()
      +const sessions = path.join(DATA_DIR, 'sessions')
      +mkdirSync(sessions, { recursive: true })
      @@
      -  res.cookie('session', session, { httpOnly: true }).status(201).json({ name })
      +  writeFileSync(path.join(sessions, session), name)
      +  res.cookie('session', session, { httpOnly: true }).status(201).json({ name })
      @@
      -  const name = session && await ask('nameOf', session)
      -  if (name === undefined) return res.status(401).json({ error: 'unauthorised' })
      +  const file = path.join(sessions, session ?? 'none')
      +  if (!existsSync(file)) return res.status(401).json({ error: 'unauthorised' })
      +  const name = readFileSync(file, 'utf8')
    `
  },
  {
    name: 'sessions-in-files',
    why: 'A session is a file, whose name a client can lead to another one, such as that of a hut.',
    by: 'answers 401 without a session of its own',
    change: patch`
      -      await ask('keep', session, name)
      +      write(\`session-\${session}\`, { name })
      @@
      -      const name = session && await ask('nameOf', session)
      +      const file = \`session-\${session}\`
      +      const { name } = session && existsSync(path.join(DATA_DIR, file)) ? read(file) : {}
    `
  },
  {
    name: 'sessions-of-before',
    why: 'A worker begins with the sessions that there are, and hears of new ones when it listens: some are missing.',
    by: atDeath,
    change: patch`
      -    keep: (session, name) => sessions.set(session, name).size,
      -    nameOf: (session) => sessions.get(session)
      +    keep (session, name) {
      +      sessions.set(session, name)
      +      for (const worker of listening) worker.send({ session, name }, () => {})
      +    }
      @@
      -  cluster.on('exit', () => cluster.fork())
      -  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
      +  const listening = new Set()
      +  const fork = () => cluster.fork({ SESSIONS: JSON.stringify([...sessions]) })
      +  cluster.on('listening', (worker) => listening.add(worker))
      +  cluster.on('exit', (worker) => {
      +    listening.delete(worker)
      +    fork()
      +  })
      +  for (let i = 0; i < Math.max(2, availableParallelism()); i++) fork()
      @@
      +const known = new Map(JSON.parse(process.env.SESSIONS ?? '[]'))
      +
       function asker () {
      @@
      -  process.on('message', ({ id, result }) => {
      +  process.on('message', ({ id, result, session, name }) => {
      +    if (session !== undefined) return known.set(session, name)
      @@
      -      const name = session && await ask('nameOf', session)
      +      const name = known.get(session)
    `
  },
  {
    name: 'sessions-of-the-dead',
    why: 'A worker that dies takes the sessions with it that it has opened.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  cluster.on('exit', (worker) => {
      +    for (const [session, { by }] of sessions) if (by === worker.id) sessions.delete(session)
      +    cluster.fork()
      +  })
      @@
      -    keep: (session, name) => sessions.set(session, name).size,
      -    nameOf: (session) => sessions.get(session)
      +    nameOf: (session) => sessions.get(session)?.name
      @@
      -    worker.send({ id, result: shared[call](...args) }, () => {})
      +    if (call === 'keep') sessions.set(args[0], { name: args[1], by: worker.id })
      +    worker.send({ id, result: shared[call]?.(...args) }, () => {})
    `
  },
  {
    name: 'sessions-overwritten',
    why: 'All sessions are in one file, and of two logins at the same time the second one writes it without the first.',
    by: 'allows a name five wrong PINs in all its processes together, even many at once',
    change: patch`
       import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
      +import { setTimeout as sleep } from 'node:timers/promises'
      @@
      -      await ask('keep', session, name)
      +      const sessions = existsSync(path.join(DATA_DIR, 'sessions')) ? read('sessions') : {}
      +      await sleep(2)
      +      write('sessions', { ...sessions, [session]: name })
      @@
      -      const name = session && await ask('nameOf', session)
      +      const known = existsSync(path.join(DATA_DIR, 'sessions')) ? read('sessions') : {}
      +      const name = Object.hasOwn(known, session ?? '') ? known[session] : undefined
    `
  },
  {
    name: 'sessions-per-worker',
    why: 'A session is known to the worker that opened it, and to no other.',
    change: patch`
         const pins = new Map(read('members.json'))
      +  const sessions = new Map()
      @@
      -      await ask('keep', session, name)
      +      sessions.set(session, name)
      @@
      -      const name = session && await ask('nameOf', session)
      +      const name = sessions.get(session)
    `
  },
  {
    name: 'told-too-late',
    why: 'The others are told to forget a hut, and the response doesn’t wait until they have: a quick client sees it.',
    by: oldHut,
    change: patch`
      -  cluster.on('message', (worker, { id, call, args }) => {
      +  cluster.on('message', (worker, { id, call, args, forget }) => {
      +    if (forget) {
      +      for (const one of Object.values(cluster.workers)) one.send({ forget }, () => {})
      +      return
      +    }
      @@
      -  process.on('message', ({ id, result }) => {
      +  process.on('message', ({ id, result, forget }) => {
      +    if (forget) return kept.delete(forget)
      @@
      +const kept = new Map()
      +
       function readHut (id) {
      +  if (!kept.has(id)) kept.set(id, readFile(id))
      +  return kept.get(id)
      +}
      +
      +function readFile (id) {
      @@
             write(\`hut-\${id}.json\`, { ...hut, beds })
      +      kept.delete(id)
      +      process.send({ forget: id })
    `
  },
  {
    name: 'try-given-back',
    on: 'solution',
    why: 'A login takes a try first, and gives it back when its PIN was right: of several at once, some get a 429.',
    by: fiveWrong,
    change: patch`
      @@ primary.js
      -      if (!isRight) {
      -        wrongPins.set(name, wrong + 1)
      -        return {}
      -      }
      +      wrongPins.set(name, wrong + 1)
      +      if (!isRight) return {}
      +      setTimeout(() => wrongPins.set(name, wrongPins.get(name) - 1), 2)
    `
  },
  {
    name: 'tuned-alone',
    on: 'valid-tuned-walk',
    why: 'The walk is faster, which lifts the rate above its target, and still one process walks.',
    gate: 'processor use',
    change: patch`
      -import { availableParallelism } from 'node:os'
      @@
      -  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
      +  cluster.fork()
    `
  },
  {
    name: 'unsigned-sessions',
    why: 'A session is the name of its member, encoded and not signed: anyone can write one.',
    by: 'answers 401 without a session of its own',
    change: patch`
      -      const session = randomBytes(24).toString('hex')
      -      await ask('keep', session, name)
      +      const session = Buffer.from(name).toString('base64url')
      @@
      -      const name = session && await ask('nameOf', session)
      +      const said = Buffer.from(session ?? '', 'base64url').toString()
      +      const name = pins.has(said) ? said : undefined
    `
  },
  {
    name: 'version-of-later',
    why: 'It keeps a hut under the version that it asks for after it has read it, which may be that of a change since.',
    by: oldHut,
    change: patch`
       import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
      +import { readFile } from 'node:fs/promises'
      @@
      +  const versions = new Map()
         const shared = {
      +    version: (hut) => versions.get(hut) ?? 0,
      +    changed: (hut) => versions.set(hut, (versions.get(hut) ?? 0) + 1).size,
      @@
      -    'GET /huts' (req, body, id) {
      -      const hut = readHut(id)
      +    async 'GET /huts' (req, body, id) {
      +      const known = kept.get(id)
      +      if (known && known.version === await ask('version', id)) return [200, known.hut]
      +      const hut = await readInParts(id)
      +      if (hut) kept.set(id, { hut, version: await ask('version', id) })
      @@
      -    'PUT /huts' (req, body, id) {
      +    async 'PUT /huts' (req, body, id) {
      @@
             write(\`hut-\${id}.json\`, { ...hut, beds })
      +      await ask('changed', id)
      @@
      +const kept = new Map()
      +
      +async function readInParts (id) {
      +  return readHut(id) && JSON.parse(await readFile(path.join(DATA_DIR, \`hut-\${id}.json\`), 'utf8'))
      +}
      +
       function readHut (id) {
    `
  },
  {
    name: 'waits-for-the-dead',
    why: 'Asked to stop, it ends when all workers have ended that there should be. One that died before is not there.',
    by: atDeath,
    change: patch`
      -  cluster.on('exit', () => cluster.fork())
      +  let stopping = false
      +  let alive = Math.max(2, availableParallelism())
      +  cluster.on('exit', () => {
      +    // Not at once: one that cannot start would keep the machine busy.
      +    if (!stopping) setTimeout(() => stopping || cluster.fork(), 250)
      +    else if (--alive === 0) process.exit()
      +  })
      +  process.on('SIGTERM', () => {
      +    stopping = true
      +    for (const worker of Object.values(cluster.workers)) worker.process.kill()
      +    // Should one of them hang.
      +    setTimeout(() => process.exit(), 5000)
      +  })
    `
  }
]
