import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../runner/shared/errors.js'

/**
 * Why a server gave no answer: it has ended, or it speaks something else than HTTP/1.1.
 *
 * @import { ContractResult, Evidence } from '../runner/judge/index.js'
 * @import { Server } from '../runner/process/index.js'
 * @import { Kept } from './load-file.js'
 *
 * @typedef {object} Prepared one of the two servers
 * @property {string} name
 * @property {string} origin
 * @property {Kept} kept values of its answers, which become more
 * @property {Server} [server]
 * @property {string} [asked] the request that it got last
 * @property {boolean} [isSilent] it gave no answer to that
 */

/**
 * Whatever was asked of the two, and in whichever phase: where one gives no answer, the reason is what's told.
 *
 * @param {[Prepared, Prepared]} servers the original first
 * @param {() => Promise<ContractResult[]>} ask
 * @returns {Promise<Partial<Evidence>>}
 * @throws {WorkshopError} what `ask` throws, unless a better reason is known
 */
export async function orWhyNoAnswer (servers, ask) {
  /** @type {ContractResult[]} */
  let contract = []
  let error = null
  try {
    contract = await ask()
  } catch (thrown) {
    error = thrown
  }
  if (error === null && contract.every(({ status }) => status !== 'fail')) return { contract }
  const silent = servers.filter(({ isSilent }) => isSilent)
  for (const { name, asked, server } of silent) {
    const end = await endOf(server)
    if (end !== null) {
      const told = `${end} after ${asked}`
      return server?.role === 'yours' ? { crash: `Your server ${told}.` } : { baselineFailures: [`it ${told}`] }
    }
    const speech = server ? await foreignSpeech(server.port) : null
    if (speech !== null) {
      throw new WorkshopError(`${name} speaks ${speech}: only plain HTTP/1.1 is compared, so let it speak that here.`)
    }
  }
  if (error !== null) throw error
  return { contract }
}

/** A process that's ending closes its connections before it's seen to have ended, ms. */
const endingMs = 500

/** @param {Prepared['server']} server */
async function endOf (server) {
  if (server === undefined) return null
  await Promise.race([server.exited, sleep(endingMs)])
  return server.howItEnded()
}

const replyMs = 1000
/** The preface of HTTP/2 (RFC 9113, 3.4) and an empty frame of settings, which are what it answers with. */
const [h2Preface, h2Settings] = ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 4]
/** A broken handshake, which TLS answers with an alert (RFC 8446, 5.1 and 6). */
const [tlsHandshake, tlsAlert] = ['\x16\x03\x01\0\x04\x01\0\0\0', 0x15]

/** @param {number} port @returns {Promise<string | null>} null: neither of the two */
async function foreignSpeech (port) {
  if ((await replyTo(port, tlsHandshake))?.[0] === tlsAlert) return 'HTTPS'
  return (await replyTo(port, h2Preface))?.[3] === h2Settings ? 'HTTP/2 without TLS (h2c)' : null
}

/** @param {number} port @param {string} bytes @returns {Promise<Buffer | null>} null: none */
function replyTo (port, bytes) {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, timeout: replyMs })
    const end = (/** @type {Buffer | null} */ reply) => {
      resolve(reply)
      socket.destroy()
    }
    socket.once('data', end)
    for (const name of ['error', 'timeout', 'close']) socket.once(name, () => end(null))
    socket.write(bytes, 'latin1')
  })
}
