import { createHash } from 'node:crypto'

/**
 * Text made from data is made once per version, and a browser that has it gets a 304.
 *
 * @import { Request, Response } from 'express'
 *
 * @typedef {object} Wanted
 * @property {string} key of what is made; there are few of them
 * @property {string | number} version of what it is made of
 * @property {string} type
 *
 * @typedef {() => string | Promise<string>} Make
 * @typedef {(req: Request, res: Response, wanted: Wanted, make: Make) => Promise<void>} SendKept
 *
 * @returns {SendKept}
 */
export function createKept () {
  /** @type {Map<string, { version: string | number, text: string, tag: string }>} */
  const kept = new Map()
  return async (req, res, { key, version, type }, make) => {
    let found = kept.get(key)
    if (found?.version !== version) {
      const text = await make()
      found = { version, text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
      kept.set(key, found)
    }
    // Revalidated each time, since the content changes.
    res.set({ ETag: found.tag, 'Cache-Control': 'private, no-cache' })
    if (req.get('If-None-Match') === found.tag) res.status(304).end()
    else res.type(type).send(found.text)
  }
}
