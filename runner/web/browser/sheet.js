/**
 * On a small window the workbench is a bar at the bottom, which opens as a sheet over the text.
 *
 * @param {HTMLElement} bench
 * @param {HTMLElement} button
 * @param {HTMLElement} text
 */
export function followSheet (bench, button, text) {
  const small = matchMedia('(max-width: 63.99rem)')
  const isOpen = () => bench.classList.contains('open')
  const update = () => {
    button.setAttribute('aria-expanded', String(isOpen()))
    text.inert = isOpen() && small.matches
  }
  const show = (/** @type {boolean} */ wanted) => {
    bench.classList.toggle('open', wanted)
    update()
  }
  const close = () => show(false)
  small.addEventListener('change', update)
  button.addEventListener('click', () => show(!isOpen()))
  bench.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return
    close()
    button.focus()
  })
  return { open: () => show(true), close }
}
