import fs from 'node:fs'
import path from 'node:path'
import { otherServers } from './shared/others.js'

// The slow server's file is made slower while its first process runs, for those that will be started from it.
const timer = setInterval(() => {
  for (const { dir } of otherServers().slice(0, 1)) {
    fs.appendFileSync(path.join(dir, 'server.js'), `
import { Server as Slowed } from 'node:http'
const emitNow = Slowed.prototype.emit
Slowed.prototype.emit = function (name, ...rest) {
  if (name === 'request') for (const end = performance.now() + 20; performance.now() < end;);
  return emitNow.call(this, name, ...rest)
}
`)
    clearInterval(timer)
  }
}, 20)
