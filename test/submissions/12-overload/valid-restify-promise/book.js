import { hash } from 'node:crypto'

const ROUNDS = 16_000

/**
 * The book of quotes. Every quote is sealed together with the seal of the one before, so nobody can change or drop an
 * old one without making every later seal anew.
 *
 * @param {string} opening what stands in place of a seal before the first quote
 */
export function openBook (opening) {
  const quotes = []
  return {
    add ({ product, kilos, cents }) {
      const number = quotes.length + 1
      const previous = quotes.at(-1)?.seal ?? opening
      const quote = {
        number,
        product,
        kilos,
        cents,
        previous,
        seal: sealOf({ number, product, kilos, cents, previous })
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
function sealOf ({ number, product, kilos, cents, previous }) {
  let seal = hash('sha256', `${number} ${product} ${kilos} ${cents} ${previous}`)
  for (let i = 1; i < ROUNDS; i++) seal = hash('sha256', seal)
  return seal
}
