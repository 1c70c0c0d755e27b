import express from 'express'
import { config, flags } from '../data.js'
import { cookies } from '../middleware/cookies.js'
import { failure } from '../middleware/errors.js'
import { featureFlags } from '../middleware/feature-flags.js'
import { session } from '../middleware/session.js'

export const me = express.Router()

me.get('/', cookies(), session(config.sessionSecret), featureFlags(flags), (req, res) => {
  if (!req.session?.user) throw failure(401, 'not_signed_in')
  const { id, name, email } = req.session.user
  res.set('Cache-Control', 'private, no-store').json({ id, name, email, features: req.features })
})
