/**
 * Turns signals into one AbortSignal, so that a command can clean up. A second Ctrl-C changes nothing (npm passes the
 * first one on, so two arrive for one key press). A command that has not cleaned up after `graceMs` is abandoned.
 *
 * @typedef {{ on: (name: string, act: (...given: any[]) => void) => unknown, off: Host['on'],
 *   exit: (code: number) => void, exitCode?: any }} Host `process`, or what a test has instead
 *
 * @param {object} options
 * @param {number} options.graceMs
 * @param {(error: Error) => void} options.tell prints an error
 * @param {Host} options.host
 */
export function listenForStop ({ graceMs, tell, host }) {
  const controller = new AbortController()
  /** @type {number | undefined} */
  let exitCode

  /** @param {number} code */
  const stop = (code) => {
    if (exitCode !== undefined) return
    exitCode = code
    controller.abort()
    setTimeout(() => host.exit(code), graceMs).unref()
  }
  /** @param {NodeJS.Signals} name */
  const onSignal = (name) => stop(name === 'SIGTERM' ? 143 : 130)
  // For an uncaught exception Node.js would exit with 1, which means "your server failed".
  /** @param {Error} error */
  const fault = (error) => {
    // Work that was in flight fails because it was stopped.
    const isStopping = exitCode !== undefined && exitCode !== 3
    if (!isReason(error) && !isStopping) tell(error)
    stop(3)
  }
  /** @param {any} error */
  const isReason = (error) => controller.signal.aborted &&
    (error === controller.signal.reason || error?.name === 'AbortError')

  for (const name of signals) host.on(name, onSignal)
  host.on('uncaughtException', fault)

  return {
    signal: controller.signal,
    fault,
    isReason,
    exitCode: () => exitCode,
    /** As SIGTERM does. */
    end: () => stop(143),
    /** The command is done: Ctrl-C ends the process at once again. */
    finish () {
      for (const name of signals) host.off(name, onSignal)
    }
  }
}

/** @type {NodeJS.Signals[]} */
const signals = process.platform === 'win32'
  ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']
  : ['SIGINT', 'SIGTERM', 'SIGHUP']
