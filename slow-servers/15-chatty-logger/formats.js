import { inspect } from 'node:util'

const SECRETS = [/password/i, /^pin$/i, /token/i, /^authorization$/i]

export function timestamp (entry) {
  return { ...entry, time: new Date().toISOString() }
}

export function level (entry, { res: { statusCode } }) {
  return { ...entry, level: statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : 'info' }
}

export function request (entry, { req, res, durationMs }) {
  const { statusCode: status, locals: { error } } = res
  return { ...entry, method: req.method, url: req.originalUrl, status, durationMs, id: req.id, stack: error?.stack }
}

export function headers (entry, { req, res }) {
  return { ...entry, headers: { request: req.headers, response: res.getHeaders() } }
}

/** Which lines of code sent the response. */
export function caller (entry, { sentFrom }) {
  const frames = sentFrom.split('\n').slice(1).map((frame) => {
    const [, name, file, line] = /^ *at (?:(.*?) \()?(.*?):(\d+):\d+\)?$/.exec(frame) ?? []
    return { name, file: file?.replace(/^file:\/\//, ''), line: Number(line) }
  })
  return { ...entry, caller: frames }
}

export function details (entry, { req }) {
  return { ...entry, details: inspect(req, { depth: 1, sorted: true }) }
}

export function memory (entry) {
  return { ...entry, memory: process.memoryUsage() }
}

/** No field with a secret's name leaves the process. */
export function redact (entry) {
  return JSON.parse(JSON.stringify(entry), (key, value) => {
    return SECRETS.some((secret) => secret.test(key)) ? '[redacted]' : value
  })
}
