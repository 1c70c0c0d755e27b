import { forecast } from './forecast.js'

let products = []
let orders = []

process.on('message', ({ shop, order, report }) => {
  if (shop) ({ products, orders } = shop)
  else if (order) orders.push(order)
  else {
    let text = null
    try {
      text = JSON.stringify(forecast({ products, orders }, report))
    } catch {}
    process.send(text)
  }
})
process.on('disconnect', () => process.exit())
