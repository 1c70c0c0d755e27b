import { arrow, box, text } from './svg.js'

const workers = [0, 1, 2]

export default {
  lesson: '11-cluster',
  file: 'cluster.svg',
  title: 'Cluster: what is shared, and what is not',
  alt: 'Clients connect to one port. The primary process accepts their connections and hands them to three worker ' +
    'processes, one after another. Each worker has its own event loop and its own variables, so each knows other ' +
    'sessions. Port and files are shared, memory is not.',
  height: 330,
  pieces: [
    text(12, 20, 'connections', { isBold: true }),
    ...[0, 1, 2, 3, 4, 5].map((at) => arrow([[40 + at * 56, 28], [40 + at * 56, 46]])),
    box(12, 48, 336, 30, 'one port'),
    arrow([[180, 78], [180, 92]]),
    box(80, 94, 200, 30, 'primary: hands them out', { tone: 'blue' }),
    ...workers.map((at) => arrow([[180 + (at - 1) * 60, 124], [66 + at * 114, 148]])),
    ...workers.flatMap((at) => [
      box(12 + at * 114, 150, 108, 92, [], { tone: 'amber' }),
      text(66 + at * 114, 170, `worker ${at + 1}`, { anchor: 'middle', isBold: true }),
      text(66 + at * 114, 189, 'own loop, heap', { anchor: 'middle', isSmall: true }),
      box(22 + at * 114, 200, 88, 30, `knows ${['Ada', 'Ben', 'Cleo'][at]}`, { tone: 'red', isSmall: true })
    ]),
    text(12, 266, [
      'Shared: the port, files, the cores.',
      'Not shared: variables. Who’s logged in?',
      'A connection stays with its worker until it’s',
      'closed, so it can’t keep two workers busy.'
    ])
  ]
}
