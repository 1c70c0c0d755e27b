import { changeAnswers } from './shared/wire.js'

// Honest, and later than it need be.
changeAnswers((req, res) => {
  const { end } = res
  res.end = (/** @type {any[]} */ ...given) => {
    setTimeout(() => end.apply(res, given), 15)
    return res
  }
})
