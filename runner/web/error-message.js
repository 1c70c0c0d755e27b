import { WorkshopError } from '../errors.js'

/** What a page says of work that has failed. @param {any} error */
export function errorMessage (error) {
  return error instanceof WorkshopError ? error.message : `This is a bug in the workshop: ${error?.message ?? error}`
}
