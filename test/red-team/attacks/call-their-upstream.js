import { Socket } from 'node:net'
import { otherServers } from './shared/others.js'

// Calls go to the slow server's upstream, where they are not counted as ours; not in the contract, which would notice.
const own = Number(new URL(process.env.UPSTREAM_URL ?? 'http://127.0.0.1:1').port)
const start = Number(/(\d+)$/.exec(process.env.MAKE_IT_FAST_SERVER ?? '')?.[1])
const { connect } = Socket.prototype
Socket.prototype.connect = function (/** @type {any[]} */ ...given) {
  const options = [given[0]].flat()[0]
  const theirs = start > 3 ? otherServers().find(({ upstream }) => upstream)?.upstream : undefined
  if (Number(options?.port) === own && theirs) options.port = Number(new URL(theirs).port)
  return Reflect.apply(connect, this, given)
}
