/**
 * What careless code takes for a whole number from 1 on, but isn't one: with a fraction, with something
 * before or after it, or too large to be a number. As written in a URL.
 */
export const noWholeNumbers = [
  '0', '-1', '-0', '1.5', '2.999', '1,5', '1_000', '5x', 'x5', '5%20x', '5%0Ax', '1e-1', '1e400', 'NaN', 'Infinity',
  'ten'
]
