import { allOf } from '../../http/browser.js'

/**
 * Tabs as the ARIA Authoring Practices describe them: arrow keys, Home and End go from one to the next.
 *
 * @param {HTMLElement} list with role `tablist`
 */
export function followTabs (list) {
  const tabs = allOf('[role=tab]', list)
  /** @param {HTMLElement} tab */
  const select = (tab) => {
    for (const one of tabs) {
      const isCurrent = one === tab
      one.setAttribute('aria-selected', String(isCurrent))
      one.tabIndex = isCurrent ? 0 : -1
      document.getElementById(one.getAttribute('aria-controls') ?? '')?.classList.toggle('current', isCurrent)
    }
  }
  list.addEventListener('click', ({ target }) => {
    const tab = tabs.find((one) => target instanceof Node && one.contains(target))
    if (tab) select(tab)
  })
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((one) => one === event.target)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    const tab = to === undefined || at === -1 ? undefined : tabs.at(to % tabs.length)
    if (tab === undefined) return
    event.preventDefault()
    select(tab)
    tab.focus()
  })
  return {
    /** Not while someone types in another panel. @param {string} name */
    show: (name) => {
      const tab = tabs.find(({ id }) => id === `tab-${name}`)
      if (tab && !document.activeElement?.matches('.bench textarea')) select(tab)
    }
  }
}
