import { byId, show } from '../../http/browser.js'
import { afterEvent, html, noProgress } from '../../report/browser.js'
import { liveChartsHtml } from './charts.js'
import { liveHtml } from './live.js'

/**
 * @import { CheckProgress } from '../../judge/index.js'
 * @import { Progress } from '../../report/browser.js'
 */

/** Events come faster than anyone reads, and drawing takes time from what is measured. */
const drawEveryMs = 250

/**
 * Draws what is known while something is measured, in the elements `live` and `charts` of the page.
 *
 * @param {() => Parameters<typeof liveHtml>[1] | null} now how it's shown; null: it isn't
 */
export function createLiveView (now) {
  let progress = noProgress
  let isPlanned = false
  const draw = () => {
    isPlanned = false
    const options = now()
    if (options === null || progress === noProgress) return
    show(byId('live'), liveHtml(progress, options))
    show(byId('charts'), liveChartsHtml(progress))
  }
  return {
    /** @param {CheckProgress} event @returns {Progress} all that is known now */
    add: (event) => {
      progress = afterEvent(progress, event)
      if (!isPlanned) setTimeout(draw, drawEveryMs)
      isPlanned = true
      return progress
    },
    read: () => progress,
    clear: () => {
      progress = noProgress
      show(byId('live'), html``)
      show(byId('charts'), html``)
    }
  }
}
