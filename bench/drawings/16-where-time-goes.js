import { arrow, box, text } from './svg.js'

/** @type {[name: string, tool: string, lesson: string, tone: import('./svg.js').Tone][]} */
const stations = [
  ['network', 'autocannon: Bytes/Sec', '3', 'ink'],
  ['kernel’s backlog', 'an open loop', '12', 'amber'],
  ['event loop’s queue', '--tool trace: delay', '1', 'amber'],
  ['middlewares', 'npm run profile', '8', 'blue'],
  ['your handler', 'npm run profile', '4', 'blue'],
  ['thread pool', 'measure a small job', '9', 'amber'],
  ['other services', 'a waterfall', '14', 'amber'],
  ['JSON, ETag, bytes', 'npm run profile', '3', 'blue'],
  ['log', 'take it out, measure', '15', 'blue'],
  ['garbage collection', '--tool heap, trace', '13', 'red']
]

export default {
  lesson: '16-capstone',
  file: 'where-time-goes.svg',
  title: 'Where the time of one request goes',
  alt: 'The stations of one request from top to bottom, each with the tool that shows it and the lesson about it: ' +
    stations.map(([name, tool, lesson]) => `${name} (${tool}, ${lesson})`).join('; ') + '.',
  height: 402,
  pieces: [
    text(12, 20, 'one request', { isBold: true }),
    text(176, 20, 'shown by', { isBold: true }),
    text(348, 20, 'lesson', { isBold: true, anchor: 'end' }),
    ...stations.flatMap(([name, tool, lesson, tone], at) => [
      box(12, 30 + at * 34, 148, 24, name, { tone }),
      text(176, 47 + at * 34, tool, { isSmall: true }),
      text(348, 47 + at * 34, lesson, { isSmall: true, anchor: 'end' }),
      at === 0 ? '' : arrow([[86, 20 + at * 34], [86, 29 + at * 34]])
    ]),
    text(12, 386, 'blue: work · amber: waiting · red: anywhere', { isSmall: true, tone: 'soft' })
  ]
}
