'use strict'
const { setImmediate: turnOfLoop } = require('node:timers/promises')

// A turn of the loop takes in one new connection at most.
const TURNS_BETWEEN = 10

/** Lets in so many at a time, and has them served one by one, with time for those at the door in between. */
exports.openDoor = function ({ most }) {
  let inside = 0
  let before = Promise.resolve()
  return {
    enter (res) {
      if (inside >= most) return false
      inside++
      res.once('close', () => inside--)
      return true
    },
    turn () {
      before = before.then(async () => {
        for (let i = 0; i < TURNS_BETWEEN; i++) await turnOfLoop()
      })
      return before
    }
  }
}
