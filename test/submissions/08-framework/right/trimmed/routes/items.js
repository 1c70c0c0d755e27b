import express from 'express'
import { categories, config, items as store } from '../data.js'
import { failure } from '../middleware/errors.js'
import { clean, parameter } from '../middleware/sanitise.js'
import { priceText } from '../texts.js'

export const items = express.Router()

items.get('/', (req, res) => {
  // A getter that parses: once is enough.
  const { query } = req
  const category = parameter(query, 'category')
  const q = parameter(query, 'q')?.toLowerCase()
  const limit = parameter(query, 'limit') ?? '10'
  const offset = parameter(query, 'offset') ?? '0'
  const wrong = []
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > 50) wrong.push('limit')
  if (!/^\d{1,6}$/.test(offset)) wrong.push('offset')
  if (wrong.length > 0) throw failure(400, 'invalid_query', wrong)

  const found = store.filter((item) =>
    (!category || item.category === category) && (!q || item.name.toLowerCase().includes(q)))
  res.json({
    total: found.length,
    items: found
      .slice(Number(offset), Number(offset) + Number(limit))
      .map(({ id, name, category, price }) => ({ id, name, category, price }))
  })
})

items.get('/:id', (req, res) => {
  const item = store[Number(req.params.id) - 1]
  if (!item) throw failure(404, 'item_not_found')
  res.json(show(item, req.locale))
})

items.post('/', jsonOnly, express.json({ limit: config.bodyLimit }), (req, res) => {
  const body = req.body ?? {}
  const name = clean(body.name)
  const category = clean(body.category)
  const { price, stock } = body
  const description = body.description === undefined ? '' : clean(body.description)
  const wrong = []
  if (typeof name !== 'string' || name.length < 1 || name.length > 80) wrong.push('name')
  if (!categories.includes(category)) wrong.push('category')
  if (typeof price !== 'number' || !(price > 0 && price <= 100000)) wrong.push('price')
  if (!Number.isInteger(stock) || stock < 0) wrong.push('stock')
  if (typeof description !== 'string') wrong.push('description')
  if (wrong.length > 0) throw failure(422, 'invalid_item', wrong)

  const item = { id: store.length + 1, name, category, price, stock, description }
  store.push(item)
  res.status(201).location(`/items/${item.id}`).json(show(item, req.locale))
})

function jsonOnly (req, res, next) {
  if (!req.is('application/json')) throw failure(415, 'unsupported_media_type')
  next()
}

function show (item, language) {
  return { ...item, priceText: priceText(language, item.price) }
}
