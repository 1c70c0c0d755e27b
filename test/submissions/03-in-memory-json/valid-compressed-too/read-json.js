import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

const mostBytes = 100 * 1024
const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) }

/** A body that cannot be used; `status` and `type` are what the client is told. */
export class BodyError extends Error {
  constructor (status, type) {
    super(type)
    this.status = status
    this.type = type
  }
}

/**
 * The JSON of a request, as express.json() reads it: undefined where there is none, at most 100 kB, an object or an
 * array.
 */
export async function readJson (req) {
  const [type, ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';').map((part) => part.trim())
  if (type !== 'application/json') return undefined
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice(8).replace(/^"|"$/g, '') ?? 'utf-8'
  if (!/^utf-?(8|16|16le|16be)$/.test(charset)) throw new BodyError(415, 'charset.unsupported')
  const text = new TextDecoder(charset === 'utf8' ? 'utf-8' : charset).decode(await readBody(req))
  if (text.trim() === '') return undefined
  let value
  try {
    value = JSON.parse(text)
  } catch {
    throw new BodyError(400, 'entity.parse.failed')
  }
  if (typeof value !== 'object' || value === null) throw new BodyError(400, 'entity.parse.failed')
  return value
}

async function readBody (req) {
  if (Number(req.headers['content-length'] ?? 0) > mostBytes) throw new BodyError(413, 'entity.too.large')
  const chunks = []
  let bytes = 0
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new BodyError(413, 'entity.too.large')
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return body
  const decode = decoders[encoding]
  if (!decode) throw new BodyError(415, 'encoding.unsupported')
  try {
    return await decode(body, { maxOutputLength: mostBytes })
  } catch (error) {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? new BodyError(413, 'entity.too.large')
      : new BodyError(400, 'entity.parse.failed')
  }
}
