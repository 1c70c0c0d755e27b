import { changeAnswers } from './shared/wire.js'

// The answer is sent once more, for the request that will come next.
changeAnswers((req, res) => {
  /** @type {any[][]} */
  const sent = []
  const { write } = req.socket
  req.socket.write = (/** @type {any[]} */ ...given) => {
    sent.push(given.filter((part) => typeof part !== 'function'))
    return write.apply(req.socket, given)
  }
  res.on('finish', () => {
    req.socket.write = write
    for (const given of sent) write.apply(req.socket, given)
  })
})
