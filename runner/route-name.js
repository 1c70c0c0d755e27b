/**
 * What a handler without a name is called: by its route. Pure.
 *
 * @param {string | undefined} line of the source, where it begins
 * @returns {string | null} `POST /login`
 */
export function routeIn (line) {
  const [, method, , route] =
    /\.(get|post|put|patch|delete|head|options|all|use|on)\(\s*(['"`])([^'"`]+)\2/.exec(line ?? '') ?? []
  if (route === undefined) return null
  // `use` and `on` are no methods of HTTP.
  return `${/^(use|on)$/.test(method) ? method : method.toUpperCase()} ${route}`
}
