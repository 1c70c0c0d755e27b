import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const ROUNDS = 16_000
// The loop turns after each slice of a seal, so that others are answered in the middle of it.
const SLICE = 1000

/**
 * The book of quotes. Every quote is sealed together with the seal of the one before, so nobody can change or drop an
 * old one without making every later seal anew.
 *
 * @param {string} opening what stands in place of a seal before the first quote
 */
export function openBook (opening) {
  const quotes = []
  return {
    async add ({ product, kilos, cents }) {
      const number = quotes.length + 1
      const previous = quotes.at(-1)?.seal ?? opening
      const quote = {
        number,
        product,
        kilos,
        cents,
        previous,
        seal: await sealOf({ number, product, kilos, cents, previous })
      }
      quotes.push(quote)
      return quote
    },
    get (number) {
      return quotes[number - 1]
    }
  }
}

/** Made many times over, so that a forger needs that much time for every quote. */
async function sealOf ({ number, product, kilos, cents, previous }) {
  let seal = hash('sha256', `${number} ${product} ${kilos} ${cents} ${previous}`)
  for (let i = 1; i < ROUNDS; i++) {
    seal = hash('sha256', seal)
    if (i % SLICE === 0) await nextTurn()
  }
  return seal
}
