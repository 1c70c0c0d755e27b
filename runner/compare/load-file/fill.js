/**
 * Placeholders of a request, as {id}, and what fills them. Pure.
 *
 * @import { Kept, LoadRequest } from './load.js'
 */

const placeholder = /\{([A-Za-z_]\w*)\}/g

/**
 * The placeholders that have to be filled before a request can be sent: of its path and its headers. A body may have
 * braces that mean something else.
 *
 * @param {LoadRequest} request
 * @returns {string[]}
 */
export function placeholdersIn ({ path, headers = {} }) {
  return [path, ...Object.values(headers)].flatMap((text) => [...text.matchAll(placeholder)].map(([, name]) => name))
}

/**
 * @param {LoadRequest} request
 * @param {Kept} values what is not among them stays as it is
 * @returns {{ method: string, path: string, headers: Record<string, string>, body: string | undefined }}
 */
export function fill ({ method = 'GET', path, headers = {}, body }, values) {
  const text = typeof body === 'string' ? fillText(body, values) : JSON.stringify(fillBody(body, values))
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return {
    method,
    path: fillPath(path, values),
    headers: {
      ...(text === undefined || hasType ? {} : { 'Content-Type': typeof body === 'string' ? 'text/plain' : json }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillText(value, values)]))
    },
    body: text
  }
}

const json = 'application/json'

/** @param {string} text @param {Kept} values */
function fillText (text, values) {
  return text.replace(placeholder, (whole, name) => Object.hasOwn(values, name) ? String(values[name]) : whole)
}

/** One at the very beginning is a whole path, such as that of a Location. @param {string} path @param {Kept} values */
function fillPath (path, values) {
  return path.replace(placeholder, (whole, name, at) => {
    if (!Object.hasOwn(values, name)) return whole
    if (at > 0) return encodeURIComponent(values[name])
    const { pathname, search } = new URL(String(values[name]), 'http://127.0.0.1')
    return pathname + search
  })
}

/**
 * A string that is one placeholder keeps the type of its value.
 *
 * @param {any} body
 * @param {Kept} values
 * @returns {any}
 */
function fillBody (body, values) {
  if (typeof body === 'string') {
    const name = /^\{([A-Za-z_]\w*)\}$/.exec(body)?.[1]
    return name !== undefined && Object.hasOwn(values, name) ? values[name] : fillText(body, values)
  }
  if (Array.isArray(body)) return body.map((item) => fillBody(item, values))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, fillBody(value, values)]))
}
