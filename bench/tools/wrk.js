import fs from 'node:fs'
import path from 'node:path'
import { runTool } from './run.js'

/**
 * @import { Item } from '../../runner/lesson/index.js'
 * @import { ToolResult } from './run.js'
 */

/**
 * wrk with one thread, which sends a list of requests in turn, again and again.
 *
 * @param {{ port: number, connections: number, seconds: number, items: Item[], scratch: string }} given
 * @returns {Promise<ToolResult>}
 */
export async function runWrk ({ port, connections, seconds, items, scratch }) {
  const script = path.join(scratch, 'requests.lua')
  fs.writeFileSync(script, scriptOf(items))
  return parseWrk(
    await runTool('wrk', [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '10s',
      '-s',
      script,
      `http://127.0.0.1:${port}`
    ])
  )
}

/** @param {Item[]} items */
export function scriptOf (items) {
  const lines = items.map(({ method = 'GET', path, headers = {}, json }) => {
    const all = json === undefined ? headers : { 'Content-Type': 'application/json', ...headers }
    const fields = Object.entries(all).map(([name, value]) => `[${text(name)}]=${text(String(value))}`).join(',')
    const body = json === undefined ? '' : `,${text(JSON.stringify(json))}`
    return `wrk.format(${text(method)},${text(path)},{${fields}}${body})`
  })
  // wrk.format needs the host, which wrk knows when it calls `init`.
  return `local list = {}\nfunction init(args)\n  list = {\n${lines.join(',\n')}\n  }\nend\nlocal n = 0\nfunction ` +
    'request()\n  n = n % #list + 1\n  return list[n]\nend\n'
}

/** A Lua string with every byte outside of plain letters as a decimal escape. @param {string} value */
function text (value) {
  const letters = [...Buffer.from(value)].map((byte) => {
    const letter = String.fromCharCode(byte)
    return /[\w ]/.test(letter) && byte < 128 ? letter : `\\${String(byte).padStart(3, '0')}`
  })
  return `"${letters.join('')}"`
}

/** @param {string} output @returns {ToolResult} */
export function parseWrk (output) {
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
  const requests = Number(/(\d+) requests in/.exec(output)?.[1])
  const other = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0)
  const errors =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1).map(Number) ?? []
  if (!(rate > 0) || errors.some((count) => count > 0)) {
    throw new Error(`wrk could not measure: ${output.trim().split('\n').slice(-4).join(' ')}`)
  }
  return { rate, otherStatus: other / requests }
}
