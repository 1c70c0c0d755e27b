import { WorkshopError } from '../errors.js'

const strangeAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT']

/**
 * @param {import('node:net').Server} server
 * @param {number} wanted port; 0: the system's choice
 * @param {string} host address
 * @returns {Promise<number>} port
 * @throws {WorkshopError} the port is taken, or the address isn't one of this machine
 */
export async function listen (server, wanted, host) {
  try {
    await new Promise((resolve, reject) => {
      server.once('error', reject).listen(wanted, host, () => resolve(undefined))
    })
  } catch (error) {
    if (strangeAddress.includes(error.code)) {
      throw new WorkshopError(`${host} isn’t an address of this machine (${error.code}): name one that it has.`,
        { cause: error })
    }
    const fault = error.code === 'EADDRINUSE' ? 'is taken' : `can’t be opened (${error.code})`
    throw new WorkshopError(`Port ${wanted} ${fault}: name another one, or leave out --port and the system finds one.`,
      { cause: error })
  }
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return address.port
}
