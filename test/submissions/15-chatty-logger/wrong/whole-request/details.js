import { inspect } from 'node:util'

Error.stackTraceLimit = 100

/** As before, but without whatever a client has sent or was given. */
export function detailsOf (req, sentFrom) {
  const sent = [...Object.values(req.headers), ...Object.values(req.body ?? {})]
  const details = sent.filter((value) => typeof value === 'string' && value !== '').reduce(
    (text, value) => text.replaceAll(value, '…'),
    inspect(req, { depth: 1, sorted: true }).replace(/session=\w+/g, '…')
  )
  const caller = sentFrom.split('\n').slice(1).map((frame) => {
    const [, name, file, line] = /^ *at (?:(.*?) \()?(.*?):(\d+):\d+\)?$/.exec(frame) ?? []
    return { name, file: file?.replace(/^file:\/\//, ''), line: Number(line) }
  })
  return { details, caller, memory: process.memoryUsage() }
}
