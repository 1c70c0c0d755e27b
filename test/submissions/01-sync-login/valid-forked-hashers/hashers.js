'use strict'

const { fork } = require('node:child_process')
const { availableParallelism } = require('node:os')
const path = require('node:path')

// Processes of their own: a hash keeps one of them busy, and never the server.
const idle = Array.from({ length: Math.max(2, availableParallelism()) }, () => fork(path.join(__dirname, 'hasher.js')))
const queue = []

exports.isRightPassword = (password, { salt, hash, iterations, digest }) => new Promise((resolve, reject) => {
  queue.push({ job: { password, salt, hash, iterations, digest }, resolve, reject })
  next()
})

function next () {
  if (idle.length === 0 || queue.length === 0) return
  const hasher = idle.pop()
  const { job, resolve, reject } = queue.shift()
  const done = (settle) => (value) => {
    hasher.removeAllListeners('message').removeAllListeners('exit')
    settle(value)
    next()
  }
  hasher.once('message', done((right) => {
    idle.push(hasher)
    resolve(right)
  }))
  // One that dies takes its login with it; another takes its place.
  hasher.once('exit', done((code) => {
    idle.push(fork(path.join(__dirname, 'hasher.js')))
    reject(new Error(`a hasher ended with ${code}`))
  }))
  hasher.send(job)
}
