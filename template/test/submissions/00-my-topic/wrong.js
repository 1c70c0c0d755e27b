import { patch } from 'make-it-fast/submissions'

export default [
  {
    name: 'nothing-is-missing',
    on: 'solution',
    why: 'An item that is not there is answered with 200 and the first one.',
    by: 'answers 404 for an item that is not there',
    change: patch`
      -  const item = bySku.get(req.params.sku)
      +  const item = bySku.get(req.params.sku) ?? items[0]
    `
  }
]
