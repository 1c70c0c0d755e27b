/** Forms of a content (RFC 9110, 8.4 and 12.5.3). Pure. */

/**
 * Ways to say what a client accepts; the first says nothing.
 *
 * @param {readonly string[]} [encodings] that a route compresses with
 * @returns {Record<string, string>[]} headers
 */
export function accepted (encodings = []) {
  if (encodings.length === 0) return [{}]
  const texts = encodings.flatMap((name) =>
    [name, name.toUpperCase(), `deflate,${name};q=0.5`, `${name};q=0`, `${name};q=0.0, compress`])
  return [{}, ...['identity', 'br;q=0', ...texts].map((text) => ({ 'Accept-Encoding': text }))]
}
