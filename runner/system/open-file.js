import { spawn } from 'node:child_process'

/**
 * Opens a file or URL with the system's program for it. Untested on Windows and macOS.
 *
 * @param {string} file
 * @returns {Promise<boolean>} was it opened?
 */
export function openFile (file) {
  const [command, args] = process.platform === 'darwin'
    ? ['open', [file]]
    : process.platform === 'win32' ? ['explorer.exe', [file]] : ['xdg-open', [file]]
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      // Without a browser, xdg-open fails at once.
      const limit = setTimeout(() => resolve(true), 1500)
      child.once('exit', (code) => {
        clearTimeout(limit)
        // explorer.exe always exits with 1.
        resolve(process.platform === 'win32' || code === 0)
      })
    })
    child.unref()
  })
}
