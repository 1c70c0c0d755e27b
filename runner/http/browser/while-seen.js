/**
 * A hidden page holds no connection: a browser has six for all pages of one server.
 *
 * @param {() => (() => void)} open returns a function that closes it
 */
export function whileSeen (open) {
  /** @type {(() => void) | null} */
  let close = null
  const follow = () => {
    if (!document.hidden) close ??= open()
    else {
      close?.()
      close = null
    }
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
