import { changeAnswers } from './shared/wire.js'

// The connection ends in the middle of the head or of the body.
changeAnswers((req, res) => {
  const { write } = req.socket
  req.socket.write = (/** @type {any} */ data, /** @type {any[]} */ ...rest) => {
    const bytes = Buffer.from(data, typeof rest[0] === 'string' ? /** @type {any} */ (rest[0]) : 'utf8')
    write.call(req.socket, bytes.subarray(0, bytes.length - 1), () => req.socket.destroy())
    return true
  }
})
