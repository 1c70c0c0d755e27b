'use strict'

const { readFileSync } = require('node:fs')
const path = require('node:path')
const passwords = require('./passwords')

const accounts = new Map(JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'users.json'), 'utf8'))
  .map(({ username, ...stored }) => [username, stored]))
/** Name to the end of the queue of those who want it. */
const queues = new Map()

exports.create = (username, password) => inTurn(username, async () => {
  if (accounts.has(username)) return false
  accounts.set(username, await passwords.hash(password))
  return true
})

exports.verify = async (username, password) => {
  const stored = accounts.get(username)
  return stored !== undefined && await passwords.verify(password, stored)
}

/** Those who want one name come one after the other: the second finds the account of the first. */
function inTurn (username, task) {
  const turn = (queues.get(username) ?? Promise.resolve()).then(task)
  const end = turn.catch(() => {}).finally(() => {
    if (queues.get(username) === end) queues.delete(username)
  })
  queues.set(username, end)
  return turn
}
