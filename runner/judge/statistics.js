/** Pure statistics on small samples. Nothing here knows what is measured. */

/** @param {readonly number[]} values not empty */
export function mean (values) {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** @param {readonly number[]} values not empty, each > 0 */
export function geometricMean (values) {
  return Math.exp(mean(values.map(Math.log)))
}

/**
 * Standard deviation of a sample (n − 1 in the denominator); 0 for fewer than two values.
 *
 * @param {readonly number[]} values
 */
export function standardDeviation (values) {
  if (values.length < 2) return 0
  const centre = mean(values)
  let sum = 0
  for (const value of values) sum += (value - centre) ** 2
  return Math.sqrt(sum / (values.length - 1))
}

/** @param {readonly number[]} values not empty */
export function median (values) {
  return quantile(values, 0.5)
}

/**
 * Quantile by linear interpolation between order statistics (Hyndman and Fan, 1996, type 7: the default of R and
 * NumPy).
 *
 * @param {readonly number[]} values not empty
 * @param {number} p in [0, 1]
 */
export function quantile (values, p) {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * p
  const below = Math.floor(position)
  const above = Math.ceil(position)
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below)
}

/**
 * Mean and standard error that a few wild values cannot drag along: the trimmed mean with the standard error from
 * the Winsorised variance (Tukey and McLaughlin, 1963; Yuen, 1974). Cutting `trim` values at each end leaves
 * n − 2·trim − 1 degrees of freedom. With `trim` 0 it is the plain mean with its standard error.
 *
 * @param {readonly number[]} values at least 2·trim + 2 of them
 * @param {number} trim how many values are cut at each end
 * @returns {{ centre: number, error: number, freedom: number }}
 */
export function trimmedMean (values, trim) {
  const n = values.length
  const kept = n - 2 * trim
  if (kept < 2) throw new RangeError(`Expected at least ${2 * trim + 2} values to trim ${trim} at each end, got ${n}`)
  const sorted = [...values].sort((a, b) => a - b)
  const centre = mean(sorted.slice(trim, n - trim))
  const winsorised = sorted.map((value) => Math.min(Math.max(value, sorted[trim]), sorted[n - 1 - trim]))
  const error = (standardDeviation(winsorised) * Math.sqrt(n - 1) / Math.sqrt(kept - 1)) / Math.sqrt(kept)
  return { centre, error, freedom: kept - 1 }
}

/**
 * A standard error whose variance is drawn towards what is usual, (d₀s₀² + ds²) / (d₀ + d), and never below what was
 * seen (Smyth, 2004, "Linear models and empirical Bayes methods for assessing differential expression in microarray
 * experiments", who draws it down as well). It has d₀ more degrees of freedom.
 *
 * @param {{ error: number, freedom: number }} seen of a (trimmed) mean
 * @param {{ spread: number, freedom: number }} usual spread: the standard deviation of one value; freedom: what it
 *   counts for
 * @returns {{ error: number, freedom: number }}
 */
export function moderate ({ error, freedom }, usual) {
  const all = freedom + usual.freedom
  const drawn = (usual.freedom * usual.spread ** 2 / (freedom + 1) + freedom * error ** 2) / all
  return { error: Math.max(error, Math.sqrt(drawn)), freedom: all }
}

/**
 * Slope of the line through points at 0, 1, 2, …: the median of the slopes of all pairs, which a few wild points cannot
 * bend (Theil, 1950; Sen, 1968).
 *
 * @param {readonly number[]} values at least 2
 */
export function theilSenSlope (values) {
  const slopes = values.flatMap((value, i) => values.slice(i + 1).map((later, j) => (later - value) / (j + 1)))
  return median(slopes)
}

/**
 * Probability that Student's t with `freedom` degrees of freedom exceeds t.
 * By the regularised incomplete beta function (Abramowitz and Stegun, 26.5.27 and 26.7.1).
 *
 * @param {number} t
 * @param {number} freedom at least 1
 */
export function studentTail (t, freedom) {
  const half = 0.5 * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t))
  return t >= 0 ? half : 1 - half
}

/**
 * The t that Student's t exceeds with probability `tail`: the inverse of `studentTail`, by bisection.
 *
 * @param {number} tail in (0, 0.5]
 * @param {number} freedom at least 1
 */
export function studentQuantile (tail, freedom) {
  const key = `${tail}/${freedom}`
  const known = quantiles.get(key) ?? bisect((t) => studentTail(t, freedom) > tail)
  quantiles.set(key, known)
  return known
}

/** The value that the normal distribution exceeds with probability `tail`. @param {number} tail in (0, 0.5] */
export function gaussianQuantile (tail) {
  return studentQuantile(tail, manyDegrees)
}

/** Student's t with so many degrees of freedom is Gaussian to six digits. */
const manyDegrees = 1e6

/** Every round needs the same few. @type {Map<string, number>} */
const quantiles = new Map()

/** Where the values from 0 on stop being too low. @param {(value: number) => boolean} isTooLow */
function bisect (isTooLow) {
  let low = 0
  let high = 1
  while (isTooLow(high)) high *= 2
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    if (isTooLow(middle)) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Standard deviation of values whose mean is known to be 0, and bounds for the true one: with Gaussian values the sum
 * of their squares / σ² follows chi-squared with n degrees of freedom.
 *
 * @param {readonly number[]} values not empty
 * @param {number} tail probability that the true one lies below `low`, and that it lies above `high`
 * @returns {{ centre: number, low: number, high: number }}
 */
export function scatterAroundZero (values, tail) {
  const n = values.length
  const squares = values.reduce((sum, value) => sum + value * value, 0)
  return {
    centre: Math.sqrt(squares / n),
    low: Math.sqrt(squares / chiSquareQuantile(1 - tail, n)),
    high: Math.sqrt(squares / chiSquareQuantile(tail, n))
  }
}

/**
 * The value below which chi-squared with `freedom` degrees of freedom lies with probability p, by bisection.
 *
 * @param {number} p in (0, 1)
 * @param {number} freedom at least 1
 */
export function chiSquareQuantile (p, freedom) {
  return bisect((x) => lowerGamma(freedom / 2, x / 2) < p)
}

/**
 * Regularised lower incomplete gamma function by its series (Numerical Recipes, 6.2), which is quick enough for small
 * x.
 *
 * @param {number} a > 0 @param {number} x ≥ 0
 */
function lowerGamma (a, x) {
  if (x <= 0) return 0
  let term = 1 / a
  let sum = term
  for (let n = 1; n < 1000 && term > sum * 1e-15; n++) {
    term *= x / (a + n)
    sum += term
  }
  return Math.min(1, sum * Math.exp(a * Math.log(x) - x - logGamma(a)))
}

/**
 * Regularised incomplete beta function by its continued fraction (Numerical Recipes, 6.4, modified Lentz's method).
 *
 * @param {number} a @param {number} b @param {number} x in [0, 1]
 */
function incompleteBeta (a, b, x) {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2)
    ? front * betaFraction(a, b, x) / a
    : 1 - front * betaFraction(b, a, 1 - x) / b
}

/** @param {number} a @param {number} b @param {number} x */
function betaFraction (a, b, x) {
  const tiny = 1e-300
  const guard = (/** @type {number} */ value) => Math.abs(value) < tiny ? tiny : value
  let c = 1
  let d = 1 / guard(1 - (a + b) * x / (a + 1))
  let result = d
  for (let m = 1; m <= 300; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / guard(1 + even * d)
    c = guard(1 + even / c)
    result *= d * c
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / guard(1 + odd * d)
    c = guard(1 + odd / c)
    const step = d * c
    result *= step
    if (Math.abs(step - 1) < 1e-14) break
  }
  return result
}

/** Natural logarithm of the gamma function, Lanczos' approximation (g = 7, n = 9). @param {number} z at least 0.5 */
function logGamma (z) {
  const coefficients = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7
  ]
  const x = z - 1
  let sum = coefficients[0]
  for (let i = 1; i < 9; i++) sum += coefficients[i] / (x + i)
  const t = x + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum)
}

/** Fewer readings than this have no slope worth naming. */
const leastReadings = 3

/**
 * Bytes that one request leaves behind, from readings after equal batches of requests: the slope over the batches,
 * without the first, after which much is allocated once and for all. Pure.
 *
 * @param {readonly (number | null)[]} readings bytes; null where unknown
 * @param {number} [batchSize] requests in a batch
 * @returns {number | null} 0 where it does not grow; null where the readings say nothing
 */
export function growthOf (readings, batchSize) {
  const known = readings.slice(1).filter((bytes) => bytes !== null)
  if (batchSize === undefined || known.length < leastReadings || known.length < readings.length - 1) return null
  return Math.max(0, theilSenSlope(known) / batchSize)
}
