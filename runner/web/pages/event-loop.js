import { html } from '../../report/index.js'

/** @import { ResultRecord } from '../../judge/index.js' */

/**
 * The event loops that the last check has recorded after its verdict, folded; empty where it has recorded none. They
 * name the culprit, so they wait for the prediction.
 *
 * @param {{ slug: string, last: ResultRecord | null, loopAt?: Date | null, prediction: unknown }} lesson loopAt: when
 *   they were recorded
 */
export function eventLoopHtml ({ slug, last, loopAt = null, prediction }) {
  if (last === null || loopAt === null || loopAt < new Date(last.startedAt)) return ''
  const address = `/lessons/${slug}/event-loop?made=${loopAt.getTime()}`
  return html`<details class="event-loop"><summary>See your event loop</summary>${prediction === null
    ? html`<p>First <a href="#predict">write your prediction down</a>: this answers it.</p>`
    : html`<iframe src="${address}" sandbox="allow-scripts" loading="lazy" title="Event loops, recorded after your
check"></iframe>
<p><a href="${address}">Open full screen</a></p>`}</details>`
}
