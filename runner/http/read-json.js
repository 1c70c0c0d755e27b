import express from 'express'

/**
 * Reads a request's body as JSON, whatever type it claims: so it is always held to the limit.
 *
 * @param {string} limit `16kb`
 * @returns {import('express').RequestHandler[]} after which `req.body` is an object or an array, even without a body
 */
export function readJson (limit) {
  return [express.json({ limit, type: () => true }), (req, res, next) => {
    req.body ??= {}
    next()
  }]
}
