import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A hostile submission. It tries what given.json names, says on stderr what came of it, and ends. Outside a sandbox it
 * tries nothing: some of it would end every process of the user who runs the tests.
 */

const { attack, namespace, grader, workshop, dir, port, secret } =
  JSON.parse(fs.readFileSync(new URL('given.json', import.meta.url), 'utf8'))
if (fs.readlinkSync('/proc/self/ns/pid') === namespace) throw new Error('This is no sandbox.')

const dataDir = process.env.DATA_DIR ?? ''
const write = (/** @type {string} */ file) => fs.writeFileSync(file, 'mine')
const connect = async (/** @type {net.NetConnectOpts} */ options) => { await once(net.connect(options), 'connect') }
/** @param {(number: number) => void} act repeats it until it fails */
const flood = (act) => { for (let number = 0; ; number++) act(number) }

const large = Buffer.alloc(64 * 1024 ** 2, 1)

/** Each throws an error with a code, or its result is what it found. @type {Record<string, () => unknown>} */
const tries = {
  'a signal that opens the grader’s inspector': () => process.kill(grader, 'SIGUSR1'),
  'stopping the grader': () => process.kill(grader, 'SIGSTOP'),
  'ending every process': () => process.kill(-1, 'SIGKILL'),
  'a look at other processes': () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length,
  'the seed in another process’s memory': () => fs.openSync(`/proc/${grader}/mem`, 'r+'),
  'reading solutions': () => fs.readdirSync(path.join(workshop, 'solutions')),
  'reading tests': () => fs.readdirSync(path.join(workshop, 'test')),
  'reading results': () => fs.readdirSync(path.join(workshop, 'workspace')),
  'reading other submissions': () => fs.readdirSync(path.dirname(dir)),
  'following its own link': () => fs.readFileSync(new URL('link.txt', import.meta.url)),
  'writing into the engine': () => write(path.join(workshop, 'runner', 'judge', 'verdict.js')),
  'writing into a package': () => write(fileURLToPath(import.meta.resolve('express'))),
  'writing into itself': () => write(fileURLToPath(import.meta.url)),
  'a look at other DATA_DIRs': () => fs.readdirSync(path.resolve(dataDir, '..', '..')).length,
  'a pipe next to DATA_DIR': () => {
    const { status, stderr } = spawnSync('mkfifo', [path.join(dataDir, '..', 'pipe')], { encoding: 'utf8' })
    return status === 0 ? 'made' : /Read-only/.test(stderr) ? 'EROFS' : stderr
  },
  'shared memory': () => write('/dev/shm/file'),
  'a setting of the system': () => write('/proc/sys/kernel/hostname'),
  'a server of the machine': () => connect({ host: '127.0.0.1', port }),
  'the network': () => connect({ host: '192.0.2.1', port: 80 }),
  'secrets in the environment': () => ['self', '1'].some((process) =>
    fs.readFileSync(`/proc/${process}/environ`, 'utf8').includes(secret)),
  'its own namespace': () => spawnSync('unshare', ['--user', 'true']).status
}

/** @type {Record<string, () => unknown>} */
const floods = {
  processes: () => {
    const children = 'mkfifo /tmp/pipe; exec 3<>/tmp/pipe; for i in $(seq 3000); do (read line <&3) & done'
    spawnSync('sh', ['-c', `exec 2>/tmp/said; ${children}`], { stdio: 'ignore', timeout: 5000 })
    return fs.readFileSync('/tmp/said', 'utf8')
  },
  memory: () => {
    /** @type {Buffer[]} */
    const kept = []
    flood(() => kept.push(Buffer.alloc(64 * 1024 ** 2, 1)))
  },
  disk: () => flood((number) => fs.writeFileSync(path.join(dataDir, `${number}`), large)),
  'one large file': () => flood(() => fs.appendFileSync(path.join(dataDir, 'log'), large)),
  descriptors: () => flood(() => fs.openSync('/dev/null', 'r')),
  output: () => {
    for (let lines = 0; lines < 200; lines++) fs.writeSync(1, `${'x'.repeat(1e5)}\n`)
    return 'written'
  },
  'detached children': () => {
    for (let children = 0; children < 5; children++) {
      spawn('setsid', ['--fork', 'sleep', '86413'], { detached: true, stdio: 'ignore', env: {} }).unref()
    }
    return spawnSync('sleep', ['0.2']).status
  }
}

/** @param {() => unknown} act */
async function outcomeOf (act) {
  try {
    return await act()
  } catch (error) {
    return error.code ?? error.message
  }
}

const all = attack === 'tries' ? tries : { [attack]: floods[attack] }
/** @type {Record<string, unknown>} */
const outcomes = {}
for (const [name, act] of Object.entries(all)) outcomes[name] = await outcomeOf(act)
fs.writeSync(2, `${JSON.stringify(outcomes)}\n`)
process.exit(1)
