import { listNames, readText } from '../../runner/process/index.js'

/** Those of all processes, their words separated by NULs. */
export function commands () {
  return listNames('/proc').map((pid) => readText(`/proc/${pid}/cmdline`) ?? '')
}
