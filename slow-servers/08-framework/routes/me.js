import express from 'express'
import { failure } from '../middleware/errors.js'

export const me = express.Router()

me.get('/', (req, res) => {
  if (!req.session.user) throw failure(401, 'not_signed_in')
  const { id, name, email } = req.session.user
  res.set('Cache-Control', 'private, no-store').json({ id, name, email, features: req.features })
})
