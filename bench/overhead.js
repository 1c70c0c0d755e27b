import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from '../runner/judge/statistics.js'
import { makeTemporary } from '../runner/process/index.js'

/**
 * What the workshop itself costs: time from the start of the command to the first request, from the last answer to the
 * verdict, and the memory of runner and generator together. `npm run measure overhead -- [runs]`. Linux only (memory).
 * Measure alone.
 */

const runs = Number(process.argv[2] ?? 5)
const root = fileURLToPath(new URL('..', import.meta.url))
const { dir, remove } = await makeTemporary()
const log = path.join(dir, 'times.json')
// A right and fast server for the tests' own lesson, which writes down when it was asked first and last.
const solution = fs.readFileSync(path.join(root, 'test/check/root/solutions/01-mini/server.js'), 'utf8')
fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
fs.writeFileSync(
  path.join(dir, 'server.js'),
  `${solution.replace('http.createServer((req, res) => {', 'let first, last\nhttp.createServer((req, res) => {\n  ' +
    "first ??= Date.now()\n  res.on('finish', () => { last = Date.now() })")}
process.on('SIGTERM', () => {
  fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify([first, last]) + '\\n')
  process.exit()
})
`
)

const starts = []
const ends = []
const memory = []
const totals = []
try {
  for (let i = 0; i < runs; i++) {
    fs.rmSync(log, { force: true })
    const startedAt = Date.now()
    const child = spawn(process.execPath, ['runner/cli.js', 'check', 'mini', '--server', dir], {
      cwd: root,
      env: { ...process.env, MAKE_IT_FAST_LESSONS: path.join(root, 'test/check/root') }
    })
    let verdictAt = 0
    child.stdout.on('data', (chunk) => { if (/PASS|FAIL|INCONCLUSIVE|ERROR/.test(chunk)) verdictAt ||= Date.now() })
    let peak = 0
    const watch = setInterval(() => { peak = Math.max(peak, residentBytes(child.pid ?? 0)) }, 25)
    await new Promise((resolve) => child.on('close', resolve))
    clearInterval(watch)
    const times = fs.readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line))
    starts.push(Math.min(...times.map(([first]) => first)) - startedAt)
    ends.push(verdictAt - Math.max(...times.map(([, last]) => last)))
    totals.push(verdictAt - startedAt)
    memory.push(peak)
  }
  console.log(
    `${os.cpus()[0].model.trim()}, ${os.availableParallelism()} cores, Node.js ${process.version}, ` +
      `${new Date().toISOString().slice(0, 10)}, ${runs} runs\n`
  )
  console.log('| what | median | worst |\n|---|---|---|')
  for (const [what, list, unit, scale] of /** @type {[string, number[], string, number][]} */ ([
    ['start of the command to the first request', starts, 'ms', 1],
    ['last answer to the verdict', ends, 'ms', 1],
    ['the whole check of the tests’ own lesson', totals, 'ms', 1],
    ['memory of runner and load generator together', memory, 'MB', 1e6]
  ])) {
    console.log(
      `| ${what} | ${Math.round(median(list) / scale)} ${unit} | ${Math.round(Math.max(...list) / scale)} ${unit} |`
    )
  }
} finally {
  await remove()
}

/** Resident memory of the runner and of the generator that it forks; not of the servers. @param {number} pid */
function residentBytes (pid) {
  let sum = 0
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = fs.readFileSync(`/proc/${name}/status`, 'utf8')
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
      const isOurs =
        Number(name) === pid ||
        (parent === pid && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('generator.js'))
      if (isOurs) sum += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum
}
