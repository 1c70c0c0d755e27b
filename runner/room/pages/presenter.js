import { frame } from '../../http/index.js'
import { html } from '../../report/index.js'

/** The presenter's view, empty: its script fetches the notes with the instructor's secret. @returns {string} HTML */
export function presenterPage () {
  return frame({
    title: 'Presenter · Make It Fast',
    name: 'presenter-page',
    home: null,
    styles: ['/static/room/browser/slides.css'],
    scripts: ['/static/room/browser/presenter.js'],
    main: html`<noscript><p class="note">This page needs JavaScript.</p></noscript>
<p id="refused" role="alert"></p>
<div id="presenter" hidden>
<div class="bar"><h1>Slide <span id="at" aria-live="polite"></span></h1>
<p class="buttons"><button type="button" id="back">← Back</button>
<button type="button" id="on" class="main">Next →</button></p>
<p class="soft">The arrow keys turn the slides in your other windows of this browser, too.</p><p id="clock"></p></div>
<section class="now" aria-label="This slide" id="slide"></section>
<section class="after" aria-labelledby="next-title"><h2 id="next-title">Next</h2><div id="next"></div></section>
<section class="say" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2><div id="notes"></div></section>
</div>`
  })
}
