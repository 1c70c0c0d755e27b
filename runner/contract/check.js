/**
 * One check of a contract, and what is known of the slow server. Types only.
 *
 * @import { Given } from './given.js'
 *
 * @typedef {object} Check
 * @property {string} name a sentence about the server: `answers 401 to a wrong password`
 * @property {('before' | 'during' | 'after')[]} [when] default `['before', 'after']`;
 *   `during` runs again and again while the load runs
 * @property {boolean} [apart] it starts servers with `another` and leaves the one under test alone, so it can run while
 *   the other checks do
 * @property {(given: Given) => Promise<void>} run throws when the server is wrong
 *
 * @typedef {object} KnownFailure
 * @property {string} check the name of the check
 * @property {string} why
 */

export {}
