import { spawnSync } from 'node:child_process'
import { unlessSkipped } from '../unless-skipped.js'

/** Why tests in a pseudo terminal are skipped here, for node:test's `skip`. @returns {false | string} */
export function skipWithoutTerminal () {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
  const sentence = 'There is no `script` of util-linux here (Debian: bsdutils): nothing was tried in a terminal.'
  return unlessSkipped(/util-linux/.test(stdout ?? ''), sentence)
}
