import { createHash } from 'node:crypto'
import express from 'express'
import { flags } from '../data.js'
import { failure } from '../http/errors.js'
import { sessionOf } from '../http/session.js'

export const me = express.Router()

// A flag that's off or on for all users needs no bucket.
const open = flags.filter(({ enabled, rollout }) => enabled && rollout > 0)

me.get('/', (req, res) => {
  const session = sessionOf(req)
  if (!session) throw failure(401, 'not_signed_in')
  const { id, name, email } = session.user
  res.setHeader('Cache-Control', 'private, no-store')
  res.json({ id, name, email, features: featuresOf(id) })
})

/** The keys of the features that are on for this user. */
function featuresOf (userId) {
  return open.filter(({ key, rollout }) => rollout >= 100 || bucket(key, userId) < rollout).map(({ key }) => key)
}

/** 0 to 99: the user's place in the rollout of a feature. */
function bucket (key, userId) {
  return createHash('sha256').update(`${key}:${userId}`).digest().readUInt32BE(0) % 100
}
