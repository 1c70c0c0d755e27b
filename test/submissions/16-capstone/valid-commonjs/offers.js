'use strict'
const http = require('node:http')
const { json } = require('node:stream/consumers')

const agent = new http.Agent({ keepAlive: true })

exports.offerFor = async function (film) {
  const [{ price }, { stock }] = await Promise.all(['prices', 'stock'].map((service) => ask(service, film)))
  return { price, stock }
}

function ask (service, film) {
  return new Promise((resolve, reject) => {
    const fail = (cause) => reject(Object.assign(new Error(`${service} failed`, { cause }), { service }))
    http.get(`${process.env.UPSTREAM_URL}/${service}/${film}`, { agent }, (res) => {
      if (res.statusCode === 200) return json(res).then(resolve, fail)
      res.resume()
      fail()
    }).on('error', fail)
  })
}
