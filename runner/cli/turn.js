import os from 'node:os'
import { takeTurn } from '../system/index.js'

/**
 * Measures when nobody else on this machine does: whoever shares our temporary folder waits for us, and we for them.
 *
 * @template T
 * @param {object} given
 * @param {string} given.about what is done, for those that wait: `a check of lesson 3`
 * @param {(sentence: string) => void} given.tell called once, when there is something to wait for
 * @param {AbortSignal} given.signal
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function inTurn ({ about, tell, signal }, act) {
  const turn = await takeTurn(`measuring\0${os.tmpdir()}`, {
    about,
    signal,
    onWait: (theirs) => tell(`Waiting for ${theirs || 'another measurement'} in another terminal: two at once would ` +
      'spoil both.')
  })
  try {
    return await act()
  } finally {
    await turn.release()
  }
}
