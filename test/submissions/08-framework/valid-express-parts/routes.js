import Router from 'router'
import { categories, config, items } from './data.js'
import { failure } from './failure.js'
import { clean, queryOf, readJson } from './input.js'
import { featuresOf, userOf } from './sessions.js'

export const router = new Router()

router.get('/items', (req, res) => {
  const { category, q = '', limit = '10', offset = '0' } = queryOf(req)
  const wrong = []
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > 50) wrong.push('limit')
  if (!/^\d{1,6}$/.test(offset)) wrong.push('offset')
  if (wrong.length > 0) throw failure(400, 'invalid_query', wrong)

  const text = q.toLowerCase()
  const found = items.filter((item) =>
    (!category || item.category === category) && item.name.toLowerCase().includes(text))
  const page = found.slice(Number(offset), Number(offset) + Number(limit))
  req.it.send(200, {
    total: found.length,
    items: page.map(({ id, name, category, price }) => ({ id, name, category, price }))
  })
})

router.get('/items/:id', (req, res) => {
  const item = items[Number(req.params.id) - 1]
  if (!item) throw failure(404, 'item_not_found')
  req.it.send(200, req.it.show(item))
})

router.post('/items', async (req, res) => {
  const body = await readJson(req, config.bodyLimit)
  const [name, category, price, stock, description = ''] = ['name', 'category', 'price', 'stock', 'description']
    .map((field) => clean(body?.[field]))
  const right = {
    name: typeof name === 'string' && name.length >= 1 && name.length <= 80,
    category: categories.includes(category),
    price: typeof price === 'number' && price > 0 && price <= 100000,
    stock: Number.isInteger(stock) && stock >= 0,
    description: typeof description === 'string'
  }
  const wrong = Object.keys(right).filter((field) => !right[field])
  if (wrong.length > 0) throw failure(422, 'invalid_item', wrong)

  const item = { id: items.length + 1, name, category, price, stock, description }
  items.push(item)
  req.it.send(201, req.it.show(item), { Location: `/items/${item.id}` })
})

router.get('/me', (req, res) => {
  const user = userOf(req.headers.cookie)
  if (!user) throw failure(401, 'not_signed_in')
  const { id, name, email } = user
  req.it.send(200, { id, name, email, features: featuresOf(id) }, { 'Cache-Control': 'private, no-store' })
})
