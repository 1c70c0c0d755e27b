/**
 * One of the two servers that are compared, before it is started.
 *
 * @import { Server } from '../../process/index.js'
 *
 * @typedef {object} Side
 * @property {string} name what people call it
 * @property {(scratch: string) => Promise<string> | string} dir its folder, made where it has to be; scratch: an empty
 *   folder to make it in, which is removed afterwards
 * @property {string} [start] the command that starts it; default: what its package.json says
 * @property {Server} [running] it runs already, and is left running
 */

export {}
