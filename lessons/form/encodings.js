/** Forms of a content (RFC 9110, 8.4 and 12.5.3). Pure. */

/**
 * Ways to say what a client accepts; the first says nothing.
 *
 * @param {readonly string[]} [encodings] that a route compresses with
 * @returns {Record<string, string>[]} headers
 */
export function accepted (encodings = []) {
  if (encodings.length === 0) return [{}]
  const alone = encodings.flatMap((name) =>
    [name, name.toUpperCase(), `deflate,${name};q=0.5`, `${name};q=0`, `${name};q=0.0, compress`, `${name};q=0, *`])
  const orders = [encodings, [...encodings].reverse()]
  const together = encodings.length === 1
    ? []
    : orders.flatMap((names) => [names.join(', '), names.map((name, at) => `${name};q=0.${9 - at}`).join(',')])
  const any = ['identity', 'br;q=0', '*', '*;q=0.3, identity;q=0.5', `identity;q=0.2, ${encodings.join(' , ')};q=0.1`]
  return [{}, ...[...any, ...alone, ...together].map((text) => ({ 'Accept-Encoding': text }))]
}
