/** @import { Section } from '../../report/index.js' */

/**
 * What clinic's pages show, and which question each answers. Pure.
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
  ].filter(({ text }) => text.length > 0)
}

/**
 * The finding that a page of doctor carries.
 *
 * @param {string} html
 * @returns {string | null}
 */
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
    threads > 0 ? count(threads, 'worker thread') : '',
    processes > 0 ? count(processes, 'further process', 'further processes') : ''
  ]
    .filter(Boolean)
    .join(' and ')
  return others === ''
    ? null
    : `clinic looks at the first process’s main thread only. This server has ${others} besides: \`--tool cpu\` ` +
      'records them all.'
}

/** @param {number} number @param {string} one @param {string} [many] */
function count (number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`
}
