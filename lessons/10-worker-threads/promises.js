/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers GET /healthz with {"status":"ok"}': 'GET /healthz 200, {"status":"ok"}',
  'computes a report from its seed and from every order, to the last digit':
    'Its draws come from a seed in reports.json, so the same report over the same orders is the same to the ' +
      'last digit.',
  'shows the orders of one moment in a report':
    'it shows the orders of one moment: no row may know of an order that another row has not heard of.',
  'computes a report for itself, whatever was asked before it':
    'the same report over the same orders is the same to the last digit',
  'answers 500 to a report that cannot be computed':
    '500 {"error":"internal_error"} when the report cannot be computed',
  'computes the reports that come after one that failed':
    'The client gets its 500, and nobody else notices: neither the reports that are under way nor those that ' +
      'come after.',
  'answers 404 to a report that is not there': '404 {"error":"not_found"} when there is no report n',
  'answers a new order with 201 and the order with its id':
    'POST /orders with { product, quantity } 201, the order with its id',
  'counts a new order in the very next report':
    'A report counts every order that was acknowledged before it was asked for.',
  'refuses an order that is none, with 400':
    '400 {"error":"invalid_order"} unless it is a product of the shop, and a whole number from 1 to 1000 of it',
  'counts no order that it has refused': 'An order that was refused is in no report.',
  'refuses a body that is not JSON': 'A body that is not JSON is refused, with any status from 400 to 499.',
  'counts every order, whoever computes the report, also when others have failed':
    'A report counts every order that was acknowledged before it was asked for.',
  'ends on SIGTERM, and all that it has started with it':
    'On SIGTERM the server ends, at once when nobody waits for an answer, and so does every process that it has ' +
      'started.',
  'gives each of many orders at once an id of its own, and counts all of them': '201, the order with its id',
  'counts an order that came in while the same report was being computed':
    'A report counts every order that was acknowledged before it was asked for.',
  'counts every order, however many there are':
    'A report counts every order that was acknowledged before it was asked for.'
}
