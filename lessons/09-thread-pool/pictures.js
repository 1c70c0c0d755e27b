import { crc32, deflateSync } from 'node:zlib'

/** @import { Random } from '../../runner/lesson/index.js' */

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * A valid PNG of random pixels. It is not compressed, so that all of one side have the same length.
 *
 * @param {Random} random
 * @param {number} [side] pixels
 */
export function makePicture (random, side = 32) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // 8 bits a channel, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: side }, () => [Buffer.of(0), random.bytes(side * 3)])
  const pixels = deflateSync(Buffer.concat(rows.flat()), { level: 0 })
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** @param {string} type four letters @param {Buffer} content */
function chunk (type, content) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
