/**
 * Prints every five seconds what each layer of an Express server costs, without a change to the server:
 * `node --import ./layers.mjs server.js`. A layer is a function that's given to `app.use`. Its time runs until it calls
 * `next`, so what it waits for counts, and what it does later doesn't. This file needs nothing but Express.
 */
import express from 'express'

const { use } = express.application
// In the order in which they were mounted.
const layers = []

// A router has `handle`, and an error handler takes four arguments: both stay as they are.
const isTimed = (layer) => typeof layer === 'function' && layer.length === 3 && !layer.handle

function timed (layer, place) {
  if (!isTimed(layer)) return layer
  const row = { layer: `${place} ${layer.name}`.trim(), calls: 0, ms: 0 }
  layers.push(row)
  return (req, res, next) => {
    const startedAt = performance.now()
    // Express gets the promise of an async layer, and with it the error if it rejects.
    return layer(req, res, (...args) => {
      row.ms += performance.now() - startedAt
      row.calls++
      next(...args)
    })
  }
}

express.application.use = function (...args) {
  // The caller is the line with `app.use`, as `server.js:25`.
  const place = new Error().stack.split('\n')[2]?.replace(/^.*[\\/]|:\d+\)?$/g, '')
  return use.apply(this, args.map((arg) => timed(arg, place)))
}

setInterval(() => {
  const called = layers.filter(({ calls }) => calls > 0)
  if (called.length === 0) return
  const sum = called.reduce((sum, { ms }) => sum + ms, 0)
  console.table(called.map(({ layer, calls, ms }) =>
    ({ layer, calls, 'µs each': Math.round(ms / calls * 1e4) / 10, '% of all': Math.round(100 * ms / sum) })))
  for (const row of layers) Object.assign(row, { calls: 0, ms: 0 })
}, 5000).unref()
