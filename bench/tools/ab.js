import fs from 'node:fs'
import path from 'node:path'
import { runTool } from './run.js'

/**
 * @import { Item } from '../../runner/lesson/index.js'
 * @import { ToolResult } from './run.js'
 */

/**
 * ab, which sends one and the same request: each item of the list for its part of the time. The time of a mean request
 * is the mean of their times, so the rates are joined by their harmonic mean.
 *
 * @param {{ port: number, connections: number, seconds: number, exactly?: number, items: Item[], scratch: string }}
 *   given
 * @returns {Promise<ToolResult>}
 */
export async function runAb ({ port, connections, seconds, exactly, items, scratch }) {
  const results = []
  for (const item of items) {
    results.push(
      parseAb(
        await runTool('ab', argsOf({ port, connections, seconds: seconds / items.length, exactly, item, scratch }))
      )
    )
  }
  return {
    rate: results.length / results.reduce((sum, { rate }) => sum + 1 / rate, 0),
    otherStatus: results.reduce((sum, { otherStatus }) => sum + otherStatus, 0) / results.length
  }
}

/**
 * @param {{ port: number, connections: number, seconds: number, exactly?: number, item: Item, scratch: string }} given
 */
function argsOf ({
  port,
  connections,
  seconds,
  exactly,
  item: { method = 'GET', path: url, headers = {}, json },
  scratch
}) {
  const body = path.join(scratch, 'body.json')
  if (json !== undefined) fs.writeFileSync(body, JSON.stringify(json))
  return [
    '-q',
    '-k',
    '-l',
    '-c',
    String(connections),
    // -t implies -n 50000, unless -n follows it.
    ...(exactly === undefined
      ? ['-t', String(Math.max(1, Math.round(seconds))), '-n', '10000000']
      : ['-n', String(exactly)]),
    ...Object.entries(headers)
      .filter(([name]) => !/^content-type$/i.test(name))
      .flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(json === undefined
      ? method === 'GET'
        ? []
        : ['-m', method]
      : [method === 'PUT' ? '-u' : '-p', body, '-T', 'application/json']),
    `http://127.0.0.1:${port}${url}`
  ]
}

/** @param {string} output @returns {ToolResult} */
export function parseAb (output) {
  const rate = Number(/Requests per second:\s+([\d.]+)/.exec(output)?.[1])
  const requests = Number(/Complete requests:\s+(\d+)/.exec(output)?.[1])
  const other = Number(/Non-2xx responses:\s+(\d+)/.exec(output)?.[1] ?? 0)
  const kept = Number(/Keep-Alive requests:\s+(\d+)/.exec(output)?.[1])
  // HTTP/1.0 has no chunked bodies: where the length is not known, each request needs a new connection.
  if (kept < 0.9 * requests) throw new Error('its connections are not kept')
  if (!(rate > 0)) throw new Error(`ab could not measure: ${output.trim().split('\n').slice(-4).join(' ')}`)
  return { rate, otherStatus: other / requests }
}
