import { spawn } from 'node:child_process'

/**
 * Opens a file with the program that this system has for it. Windows and macOS untried by us.
 *
 * @param {string} file
 * @returns {Promise<boolean>} false where that does not work
 */
export function openFile (file) {
  const [command, args] = process.platform === 'darwin'
    ? ['open', [file]]
    : process.platform === 'win32' ? ['explorer.exe', [file]] : ['xdg-open', [file]]
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      // xdg-open fails within a moment where there is no browser.
      const limit = setTimeout(() => resolve(true), 1500)
      child.once('exit', (code) => {
        clearTimeout(limit)
        // explorer.exe says 1 whatever it does.
        resolve(process.platform === 'win32' || code === 0)
      })
    })
    child.unref()
  })
}
