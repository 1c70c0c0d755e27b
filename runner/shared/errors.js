/**
 * An error that the person at the keyboard can fix. The command line prints `message` alone,
 * so it is one clear sentence that names the fix. Every other exception is taken for a fault of the workshop.
 */
export class WorkshopError extends Error {
  /**
   * @param {string} message
   * @param {{ exitCode?: number, cause?: unknown }} [options] exitCode: default 3
   */
  constructor (message, { exitCode = 3, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'WorkshopError'
    this.exitCode = exitCode
  }
}

/** Again and again, another program had the port that a server was to have: it says nothing about that server. */
export class PortTaken extends WorkshopError {
  constructor () {
    super('Another program of this machine answered on each port that was meant for server.js: ' +
      'close what opens many connections here, and try again.')
  }
}

/** Something was late, and so was the slow server: it says nothing about who was late. */
export class TooBusy extends WorkshopError {
  /** @param {string} what was late */
  constructor (what) {
    super(`This machine is too busy to tell: ${what}.`)
  }
}
