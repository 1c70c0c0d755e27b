import { randomBytes } from 'node:crypto'

const letters = '23456789abcdefghjkmnpqrstuvwxyz'

/** A seed that nobody can guess and a person can type: three groups of four, about 59 bits. */
export function newSeed () {
  const group = () => Array.from({ length: 4 }, () => letters[randomIndex()]).join('')
  return [group(), group(), group()].join('-')
}

/** Every letter is equally likely: bytes that would favour some are drawn again. */
function randomIndex () {
  for (;;) {
    const [byte] = randomBytes(1)
    if (byte < 256 - 256 % letters.length) return byte % letters.length
  }
}
