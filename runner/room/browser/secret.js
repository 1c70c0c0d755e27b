/** The instructor's secret is in the fragment of their link: the tab keeps it, and the address bar doesn't show it. */
export function takeSecret () {
  if (location.hash.length > 1) sessionStorage.setItem('secret', location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  // The link again, in the same tab.
  window.addEventListener('hashchange', () => location.reload())
  return sessionStorage.getItem('secret') ?? ''
}
