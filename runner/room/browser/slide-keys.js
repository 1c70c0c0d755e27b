/** Slides on the wall and the presenter's view turn together, in windows of one browser. */
const channel = new BroadcastChannel('slides')

/** @type {Record<string, number>} */
const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 }

/**
 * @param {{ count: () => number, at: () => number, show: (at: number) => void }} slides at: which one is shown, from 0
 * @returns {(at: number) => void} shows that one here and in the other windows
 */
export function turnTogether ({ count, at, show }) {
  const turn = (/** @type {number} */ to) => {
    if (to < 0 || to >= count()) return
    show(to)
    channel.postMessage(to)
  }
  channel.addEventListener('message', ({ data }) => { if (data !== at()) show(data) })
  document.addEventListener('keydown', (pressed) => {
    const step = steps[pressed.key]
    if (step === undefined || pressed.altKey || pressed.ctrlKey || pressed.metaKey) return
    pressed.preventDefault()
    turn(at() + step)
  })
  return turn
}
