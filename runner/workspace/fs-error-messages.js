import { WorkshopError } from '../errors.js'

/**
 * Turns a file system error into a sentence that names the folder and the way out. Others are returned unchanged.
 *
 * @param {any} error
 * @param {string} folder
 * @returns {Error}
 */
export function explainFsError (error, folder) {
  const sentence = sentences[error?.code]
  return sentence ? new WorkshopError(sentence(folder), { cause: error }) : error
}

const elsewhere = 'or set the variable MAKE_IT_FAST_WORKSPACE to a folder of your own'

/** @type {Record<string, (folder: string) => string>} */
const sentences = {
  EACCES: (folder) => `You don’t have permission to write to ${folder}: change its permissions, ${elsewhere}.`,
  EROFS: (folder) => `The disk that holds ${folder} is read-only: make it writable, ${elsewhere}.`,
  ENOSPC: (folder) => `The disk that holds ${folder} is full: free some space and run the command again.`,
  EDQUOT: (folder) =>
    `Your quota on the disk that holds ${folder} is used up: free some space and run the command again.`,
  EPERM: (folder) =>
    `The system doesn’t let us change ${folder}: close the editor, terminal or server that uses it and ` +
    `run the command again, ${elsewhere}.`,
  EBUSY: (folder) =>
    `Another program is using ${folder}: close the editor, terminal or server that uses it and run the ` +
    'command again.',
  ENOTDIR: (folder) =>
    `There is a file where the folder ${folder} should be: move the file away and run the command again.`,
  EEXIST: (folder) =>
    `There is a file where the folder ${folder} should be: move the file away and run the command again.`
}
