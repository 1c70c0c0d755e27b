import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Retries what Windows refuses while a virus scanner or an editor has the file open.
 *
 * @template T
 * @param {() => Promise<T>} action
 * @param {{ platform?: NodeJS.Platform }} [options]
 * @returns {Promise<T>}
 */
export async function retryBusy (action, { platform = process.platform } = {}) {
  for (const pauseMs of platform === 'win32' ? [10, 20, 40, 80, 160] : []) {
    try {
      return await action()
    } catch (error) {
      if (!['EPERM', 'EBUSY', 'EACCES'].includes(error.code)) throw error
      await sleep(pauseMs)
    }
  }
  return action()
}
