/**
 * On a small window the workbench is a bar at the bottom, which opens as a sheet.
 *
 * @param {HTMLElement} bench
 * @param {HTMLElement} button
 */
export function followSheet (bench, button) {
  const show = (/** @type {boolean} */ isOpen) => {
    bench.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  const close = () => show(false)
  button.addEventListener('click', () => show(!bench.classList.contains('open')))
  bench.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !bench.classList.contains('open')) return
    close()
    button.focus()
  })
  return { open: () => show(true), close }
}
