/** A handler without a name is called by its route, `POST /login`. Pure. @param {string} [line] of its source */
export function routeIn (line) {
  const [, method, , route] =
    /\.(get|post|put|patch|delete|head|options|all|use|on)\(\s*(['"`])([^'"`]+)\2/.exec(line ?? '') ?? []
  if (route === undefined) return null
  // `use` and `on` are no methods of HTTP.
  return `${/^(use|on)$/.test(method) ? method : method.toUpperCase()} ${route}`
}
