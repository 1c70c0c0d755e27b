import { followPage } from '../../../runner/http/browser.js'

/** A page for all to see: it only follows the room. */
followPage({
  silence: 'The room doesn’t answer.',
  lost: 'The room doesn’t answer. This page reconnects by itself.'
})
