import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { WorkshopError } from '../../shared/errors.js'
import { makeTemporary } from '../../process/index.js'
import { homeName } from '../clinic/enter-folder.js'
import { endServer, underLoad } from '../under-load.js'

/**
 * @import { Hub } from '../../inside/index.js'
 * @import { StartOptions, Through } from '../../process/index.js'
 * @import { Section } from '../../report/index.js'
 * @import { ToolGiven, ToolResult } from '../profile-files.js'
 * @import { Target, UnderLoad } from '../under-load.js'
 */

const readyTimeoutMs = 30_000
const renderTimeoutMs = 90_000
const sliceMs = 200
/**
 * Node.js begins a second file of trace events after 524,288 of them, some 90 MB, and clinic fails to join two
 * (“premature close”). The file lags behind by about 20 MB.
 */
const mostTraceBytes = 25 * 1024 * 1024

/**
 * One of clinic's tools. It renders its page when the server ends by itself, not by a signal.
 *
 * @param {string} name `doctor`, `flame`, `bubbleprof`, `heapprofiler`
 * @returns {{ run: (given: ToolGiven) => Promise<ToolResult> }}
 */
export function clinicTool (name) {
  return {
    async run ({ target, seconds, files, say }) {
      const bin = findClinic(name)
      const { dir: scratch, remove } = await makeTemporary()
      try {
        fs.mkdirSync(dataFolder(scratch))
        fs.mkdirSync(othersFolder(scratch))
        say(`Starting the server through clinic ${name} …`)
        const { page, unseen, problems } = await collect({ name, bin, scratch, target, seconds, say })
        const report = files.name('.html')
        // Not renamed: the temporary folder may be on another disk.
        fs.copyFileSync(page, report)
        const finding = name === 'doctor' ? findingIn(fs.readFileSync(report, 'utf8')) : null
        return { sections: clinicSections(name, { finding, unseen, problems }), report, kept: [] }
      } finally {
        await remove()
      }
    }
  }
}

/**
 * @param {{ name: string, bin: string, scratch: string, target: Target, seconds: number, say: (text: string) => void }}
 *   given
 * @returns {Promise<{ page: string, unseen: string | null, problems: string[] }>}
 */
async function collect ({ name, bin, scratch, target, seconds, say }) {
  /** @param {Hub} hub @returns {StartOptions} */
  const start = ({ env: { NODE_OPTIONS: recorder, ...env } }) => ({
    // As an argument, for the server alone: clinic's own process would read it from the environment, too.
    nodeArgs: [recorder],
    readyTimeoutMs,
    env,
    through: (server) =>
      clinicCommand({ ...server, name, bin, scratch, execPath: process.execPath, searchPath: process.env.PATH ?? '' })
  })
  try {
    return await underLoad({ ...target, start, recorded: false }, async ({ server, hub, load }) => {
      const first = hub.members().find(({ main }) => main)
      if (first === undefined) {
        throw new WorkshopError(
          `The server cannot be told to end by itself, as clinic ${name} needs it: does it drop node’s flags? ` +
            `\`--tool ${withoutClinic[name]}\` shows much the same without it.`
        )
      }
      say(`Loading it for ${seconds} s …`)
      const { problems, answers, cut } = name === 'bubbleprof'
        ? await loadUntil({ load, seconds, isEnough: () => traceBytes(scratch) > mostTraceBytes })
        : { ...await load(seconds * 1000), cut: false }
      if (cut) say(`${answers} answers are as many as clinic ${name} can take in.`)
      const members = hub.members()
      const threads = [...members, ...hub.unrecorded()]
      if (first.isGone()) {
        throw new WorkshopError(
          'The server ended while it was under load. `npm run serve` starts it for a look by hand.'
        )
      }
      say('The server ends, and clinic makes its page of it: this takes a while …')
      const ended = await endServer({ server, hub, signal: target.signal, timeoutMs: renderTimeoutMs })
      if (!ended) {
        throw new WorkshopError(
          `clinic ${name} had no page ${renderTimeoutMs / 1000} s after the load, and was stopped. Record for a ` +
            `shorter time, or use \`--tool ${withoutClinic[name]}\`.`
        )
      }
      const page = fs.readdirSync(dataFolder(scratch)).find((file) => file.endsWith('.html'))
      if (page === undefined) throw new WorkshopError(clinicProblem(name, server.output()))
      return { page: path.join(dataFolder(scratch), page), unseen: unseenBy(threads, first.pid), problems }
    })
  } catch (error) {
    if (error instanceof WorkshopError && supportsNoCluster(error.message)) {
      throw new WorkshopError(clinicProblem(name, error.message), { cause: error })
    }
    throw error
  }
}

/**
 * @param {Pick<UnderLoad, 'load'> & { seconds: number, isEnough: () => boolean }} given
 * @returns {Promise<{ answers: number, problems: string[], cut: boolean }>} cut: it was enough before the time was up
 */
async function loadUntil ({ load, seconds, isEnough }) {
  const endsAt = performance.now() + seconds * 1000
  /** @type {string[]} */
  const problems = []
  let answers = 0
  let cut = false
  while (!cut && performance.now() < endsAt) {
    const seen = await load(sliceMs)
    answers += seen.answers
    problems.push(...seen.problems)
    cut = isEnough()
  }
  return { answers, problems, cut }
}

/** @param {string} scratch @returns {number} bytes of trace events so far */
function traceBytes (scratch) {
  return fs
    .readdirSync(scratch)
    .filter((file) => file.startsWith('node_trace.'))
    .reduce((sum, file) => sum + fs.statSync(path.join(scratch, file)).size, 0)
}

/**
 * The contents of clinic's pages, and the question that each answers. Pure.
 *
 * @type {Record<string, { shows: string[], ask: string[] }>}
 */
const pages = {
  doctor: {
    shows: [
      'Charts over the same time: CPU usage, memory, delay and utilisation of the event loop, active handles. Before ' +
        'and after the load the server is idle: that is what to compare with.',
      'Doctor judges the shapes by rules of thumb. Its finding is a suspicion, not a verdict.'
    ],
    ask: [
      'Which chart moves first when the load begins? Does it follow the load, or does it keep rising?',
      'A delay of the event loop is a stretch in which no other request is served: how long is the longest, and what ' +
        'runs then?'
    ]
  },
  flame: {
    shows: [
      'Each bar is a function, as wide as the share of the samples in which it was on the stack; above it is ' +
        'what it called. The redder it is, the more often it was on top itself.',
      'Switch off Node.js core and dependencies with the buttons below to see your own functions alone.'
    ],
    ask: [
      'Which of your bars is wide? Is it wide by itself, or because of what’s above it?',
      'Does it have to run once for every request?'
    ]
  },
  bubbleprof: {
    shows: [
      'Each bubble is a group of asynchronous operations that began at one place of the code, as large as the time ' +
        'that was spent waiting in it; lines lead to what it set off. A click goes into it.',
      'Time in which the event loop was kept busy is counted as waiting, too.'
    ],
    ask: [
      'In which bubble does a request spend its time, and what is waited for there: a disk, a network, a timer, a ' +
        'free thread?',
      'Which of these waits begins only when another ends, without needing its result?'
    ]
  },
  heapprofiler: {
    shows: [
      'Each bar is a function, as wide as the memory that it allocated, with what it called, and that was still held ' +
        'at the end; above it is what it called.',
      'It is a sample: small allocations may be missing, large ones are not.'
    ],
    ask: [
      'Which of your bars is wide? What did it allocate that outlived the request?',
      'Who still holds that: a cache, a list, a listener?'
    ]
  }
}

/** Doctor's findings, by the name that its page uses. @type {Record<string, string>} */
const findings = {
  'event-loop':
    'Doctor suspects the event loop: something synchronous keeps it busy. `--tool flame` and `--tool cpu` show what.',
  gc: 'Doctor suspects garbage collection: memory is allocated or held faster than it is given back. `--tool ' +
    'heapprofiler` and `--tool heap` show by whom.',
  io: 'Doctor suspects I/O: the server waits more than it computes. `--tool bubbleprof` shows for what.',
  data: 'Doctor had too little data for a finding: record for longer with --seconds. It looks from within the event ' +
    'loop: one that is held for long at a stretch lets it look rarely, and that is a finding, too.',
  unknown:
    'Doctor sees an issue that fits none of its patterns. Look at the charts; `--tool trace` shows them with garbage ' +
      'collections, `--tool cpu` shows the functions.',
  none: 'Doctor finds nothing out of the ordinary. That isn’t praise: it doesn’t know how fast the server could be.'
}

/**
 * @param {string} name of the tool
 * @param {{ finding: string | null, unseen: string | null, problems: string[] }} given finding: of doctor; unseen: a
 *   sentence
 * @returns {Section[]}
 */
export function clinicSections (name, { finding, unseen, problems }) {
  const { shows, ask } = pages[name]
  return [
    { title: 'Finding', text: finding !== null && Object.hasOwn(findings, finding) ? [findings[finding]] : [] },
    { title: 'It shows', text: shows },
    { title: 'Ask it', text: ask },
    { title: 'Not seen', text: unseen === null ? [] : [unseen] },
    { title: 'Wrong', text: problems.slice(0, 3) }
  ]
}

/** The finding that a page of doctor carries. @param {string} html @returns {string | null} */
export function findingIn (html) {
  return /"issueCategory"\s*:\s*"([\w-]+)"/.exec(html)?.[1] ?? null
}

/**
 * The processes and threads that clinic doesn't record.
 *
 * @param {readonly { pid: number, threadId: number, main?: boolean }[]} members all threads of a server
 * @param {number} pid of its first process
 * @returns {string | null} a sentence
 */
export function unseenBy (members, pid) {
  const threads = members.filter((member) => member.pid === pid && !member.main).length
  const processes = new Set(members.filter((member) => member.pid !== pid).map((member) => member.pid)).size
  const others = [
    ...threads > 0 ? [`${threads} worker thread${threads === 1 ? '' : 's'}`] : [],
    ...processes > 0 ? [`${processes} further process${processes === 1 ? '' : 'es'}`] : []
  ].join(' and ')
  return others === ''
    ? null
    : `clinic looks at the first process’s main thread only. This server has ${others} besides: \`--tool cpu\` ` +
      'records them all.'
}

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
  const line = output.split('\n').find((line) => /\berror\b|error:|no data found|empty/i.test(line))
  const why = line === undefined ? '' : `: ${line.trim().slice(0, 200).replace(/\.$/, '')}`
  return `clinic ${name} wrote no page${why}. \`--tool ${withoutClinic[name]}\` shows much the same without it.`
}

/** @param {string} output */
function supportsNoCluster (output) {
  return /does not support clustering/.test(output)
}

/** Our tools that show much the same without clinic. @type {Record<string, string>} */
const withoutClinic = { doctor: 'trace', flame: 'cpu', bubbleprof: 'trace', heapprofiler: 'heap' }

/**
 * @param {string} name of its tool
 * @param {(id: string) => string} [resolve] as `require.resolve`
 * @returns {string} the file that is clinic's command
 * @throws {WorkshopError} it is not installed
 */
export function findClinic (name, resolve = createRequire(import.meta.url).resolve) {
  try {
    return path.join(path.dirname(resolve('clinic/package.json')), 'bin.js')
  } catch (error) {
    throw new WorkshopError(
      'clinic is not installed: `npm ci` brings it, `npm ci --omit=dev` leaves it out. `--tool ' +
        `${withoutClinic[name]}\` works without it.`,
      { cause: error }
    )
  }
}

const enterFolder = new URL('../clinic/enter-folder.js', import.meta.url).href

/**
 * The command line that runs clinic. Pure.
 *
 * @param {{ name: string, bin: string, execPath: string, scratch: string, dir: string, nodeArgs: string[],
 *   searchPath: string }} given bin: clinic's own file; execPath: the Node.js that runs the server; dir: the server's
 *   folder; scratch: an empty folder, for the files that clinic leaves behind; searchPath: PATH
 * @returns {Through}
 */
export function clinicCommand ({ name, bin, execPath, scratch, dir, nodeArgs, searchPath }) {
  // clinic accepts no other name.
  const node = /^node(\.exe)?$/.test(path.basename(execPath)) ? execPath : 'node'
  return {
    args: [
      bin,
      name,
      '--open=false',
      `--dest=${dataFolder(scratch)}`,
      '--',
      node,
      ...whereToWrite(name, scratch),
      `--import=${enterFolder}`,
      ...nodeArgs,
      path.join(dir, 'server.js')
    ],
    cwd: scratch,
    env: {
      [homeName]: JSON.stringify({ dir, others: othersFolder(scratch) }),
      // No question about telemetry, no update check, nothing kept in the home folder.
      NO_INSIGHT: '1',
      NO_UPDATE_NOTIFIER: '1',
      XDG_CONFIG_HOME: scratch,
      PATH: [path.dirname(execPath), searchPath].join(path.delimiter)
    }
  }
}

/** Where clinic writes its data and its page. @param {string} scratch */
export function dataFolder (scratch) {
  return path.join(scratch, 'data')
}

/** For output that isn't used. @param {string} scratch */
export function othersFolder (scratch) {
  return path.join(scratch, 'others')
}

/**
 * clinic looks for these files in its own working directory, and the server runs in another.
 *
 * @param {string} name @param {string} scratch @returns {string[]}
 */
function whereToWrite (name, scratch) {
  if (name === 'doctor' || name === 'bubbleprof') {
    // eslint-disable-next-line no-template-curly-in-string
    return [`--trace-event-file-pattern=${path.join(scratch, 'node_trace.${rotation}.log')}`]
  }
  // V8 reads % as the start of a placeholder.
  if (name === 'flame') return [`--logfile=${path.join(scratch.replaceAll('%', '%%'), '%p-v8.log')}`]
  return []
}
