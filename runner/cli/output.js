/**
 * A reader that has seen enough (`npm run list | head`) closes the pipe; that is no fault and needs no words.
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
