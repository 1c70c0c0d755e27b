import { patch } from '../apply.js'

export default [
  {
    name: 'valid-each-when-ready',
    on: 'base',
    why: 'Each call begins once those that it needs have ended, and the first failure aborts the others.',
    change: patch`
      -async function ask (service, path, requestId) {
      -  const signal = AbortSignal.timeout(1000)
      +async function ask (service, path, requestId, given) {
      +  const late = AbortSignal.timeout(1000)
      +  const signal = AbortSignal.any([late, given])
      @@
      -    throw error.service ? error : fail(service, undefined, signal.aborted)
      +    throw error.service ? error : fail(service, undefined, late.aborted)
      @@
      -async function fillCart (user, id) {
      -…
      -
      @@
      +// Every call is a promise that waits for the promises that it needs. The first failure ends the calls that are \
        under
      +// way.
       async function makePage (userId, id) {
      -  const user = await ask('users', \`/\${encodeURIComponent(userId)}\`, id)
      -…
      -  return { user: { id: user.id, name: user.name, points: user.points }, cart, recommendations: products }
      +  const controller = new AbortController()
      +  const call = (service, path) => ask(service, path, id, controller.signal)
      +  const user = call('users', \`/\${encodeURIComponent(userId)}\`)
      +  const cart = user.then(({ cart }) => call('carts', \`/\${cart}\`))
      +  const list = cart.then(({ items }) => items.map(({ product }) => product).join())
      +  const parts = [
      +    user,
      +    cart,
      +    Promise.all([user, list]).then(([{ region }, list]) => call('prices', \
        \`?region=\${region}&products=\${list}\`)),
      +    list.then((list) => call('stock', \`?products=\${list}\`)),
      +    list.then((list) => call('reviews', \`?products=\${list}\`)),
      +    user.then(({ segment }) => call('recommendations', \`?segment=\${segment}\`))
      +  ]
      +  try {
      +    const [{ name, points }, ...rest] = await Promise.all(parts)
      +    return { user: { id: userId, name, points }, cart: render(...rest), recommendations: rest.at(-1).products }
      +  } catch (error) {
      +    controller.abort()
      +    throw error
      +  }
    `
  },
  {
    name: 'valid-fetch',
    on: 'base',
    why: 'fetch with its own pool of connections, instead of node:http and an agent.',
    change: patch`
      -import http from 'node:http'
      -import { json } from 'node:stream/consumers'
      @@
      -const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
      @@
      -    const res = await new Promise((resolve, reject) => {
      -…
      -    if (res.statusCode !== 200) throw fail(service, res.statusCode)
      +    const res = await fetch(\`\${UPSTREAM_URL}/\${service}\${path}\`, { signal, headers })
      +    const body = await res.json()
      +    if (!res.ok) throw fail(service, res.status)
    `
  }
]
