import { WorkshopError } from '../errors.js'

/**
 * Turns what the file system said into a sentence that names the folder and the mend. Errors that have no such
 * sentence come back as they are.
 *
 * @param {any} error
 * @param {string} folder
 * @returns {Error}
 */
export function explainFsError (error, folder) {
  const sentence = sentences[error?.code]
  return sentence ? new WorkshopError(sentence(folder), { cause: error }) : error
}

const elsewhere = 'or let the variable MAKE_IT_FAST_WORKSPACE name a folder of yours'

/** @type {Record<string, (folder: string) => string>} */
const sentences = {
  EACCES: (folder) => `You may not write in ${folder}: give yourself the permission, ${elsewhere}.`,
  EROFS: (folder) => `The disk of ${folder} is read-only: make it writable, ${elsewhere}.`,
  ENOSPC: (folder) => `The disk of ${folder} is full: free some space and run the command again.`,
  EDQUOT: (folder) => `Your quota on the disk of ${folder} is used up: free some space and run the command again.`,
  EPERM: (folder) =>
    `The system refuses to change ${folder}: close the editor, terminal or server that uses it and ` +
    `run the command again, ${elsewhere}.`,
  EBUSY: (folder) =>
    `Another program holds ${folder}: close the editor, terminal or server that uses it and run the ` +
    'command again.',
  ENOTDIR: (folder) =>
    `A file lies where the folder ${folder} should be: move the file away and run the command again.`,
  EEXIST: (folder) => `A file lies where the folder ${folder} should be: move the file away and run the command again.`
}
