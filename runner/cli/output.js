/**
 * Reports errors of an output, except that its reader has closed the pipe (`npm run list | head`).
 *
 * @param {NodeJS.WriteStream} stream
 * @param {(error: Error) => void} fault
 */
export function watchOutput (stream, fault) {
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    // Windows says EOF where others say EPIPE.
    if (error.code === 'EPIPE' || error.code === 'EOF') return
    fault(error)
  })
}
