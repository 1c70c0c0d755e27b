'use strict'
const { parallel } = require('vasync')
const { ask } = require('./upstream.js')

/** First the user; then the cart and what follows from it, beside the recommendations. */
exports.makePage = function (userId, requestId, done) {
  const call = (service, path) => (next) => ask(service, path, requestId, next)
  const together = (funcs, then) => parallel({ funcs }, (error, { operations }) => {
    if (error) return done(operations.find(({ err }) => err).err)
    then(operations.map(({ result }) => result))
  })

  call('users', `/${encodeURIComponent(userId)}`)((error, user) => {
    if (error) return done(error)
    const cartAndAll = (next) => call('carts', `/${user.cart}`)((error, cart) => {
      if (error) return next(error)
      const products = cart.items.map(({ product }) => product).join()
      const paths = {
        prices: `?region=${user.region}&products=${products}`,
        stock: `?products=${products}`,
        reviews: `?products=${products}`
      }
      const funcs = Object.entries(paths).map(([service, path]) => call(service, path))
      parallel({ funcs }, (error, { operations }) => {
        if (error) return next(operations.find(({ err }) => err).err)
        next(null, render(cart, ...operations.map(({ result }) => result)))
      })
    })
    together([cartAndAll, call('recommendations', `?segment=${user.segment}`)], ([cart, recommendations]) => {
      const { id, name, points } = user
      done(null, { user: { id, name, points }, cart, recommendations: recommendations.products })
    })
  })
}

function render ({ id, items }, prices, stock, reviews) {
  const lines = items.map(({ product, quantity }) => ({
    product,
    quantity,
    price: prices[product],
    stock: stock[product],
    reviews: reviews[product]
  }))
  return { id, lines, total: lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0) }
}
