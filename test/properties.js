import fc from 'fast-check'

/** fast-check for tests of properties: with the same inputs in every run. */

fc.configureGlobal({ seed: 1 })

export { fc }
