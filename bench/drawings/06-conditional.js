import { arrow, box, text } from './svg.js'

const [client, server] = [40, 318]
/** @param {number} y @param {string} label @param {import('./svg.js').Tone} [tone] */
const ask = (y, label, tone) => arrow([[client + 2, y], [server - 2, y]], { tone }) +
  text(179, y - 6, label, { anchor: 'middle', isSmall: true })
/** @param {number} y @param {string} label @param {import('./svg.js').Tone} tone */
const answer = (y, label, tone) => arrow([[server - 2, y], [client + 2, y]], { tone }) +
  text(179, y - 6, label, { anchor: 'middle', isSmall: true })

export default {
  lesson: '06-go-further',
  file: 'conditional.svg',
  title: 'A conditional request',
  alt: 'A client and a server over time. The first GET brings a 200 with the body and the tag a1. The client asks ' +
    'again with If-None-Match a1 and gets a 304 without a body. After a PUT the same request brings a 200 with the ' +
    'new body and the tag b2.',
  height: 345,
  pieces: [
    box(8, 8, 64, 26, 'client', { isBold: true }),
    box(286, 8, 64, 26, 'server', { isBold: true }),
    arrow([[client, 34], [client, 335]], { hasHead: false, isDashed: true }),
    arrow([[server, 34], [server, 335]], { hasHead: false, isDashed: true }),
    ask(64, 'GET'),
    answer(94, '200, ETag "a1", the whole body', 'red'),
    text(52, 122, 'keeps body and tag', { isSmall: true, tone: 'soft' }),
    ask(152, 'GET, If-None-Match: "a1"'),
    answer(182, '304, no body', 'green'),
    box(120, 204, 186, 28, 'a PUT changes the content', { tone: 'amber', isSmall: true }),
    ask(264, 'GET, If-None-Match: "a1"'),
    answer(294, '200, ETag "b2", the new body', 'red'),
    text(179, 326, 'A tag stands for one content', { anchor: 'middle' })
  ]
}
