const { UPSTREAM_URL } = process.env

/** Both at once, over the connections that fetch keeps open. `failed` names the service that did. */
export async function offerFor (film) {
  const [prices, stock] = await Promise.all(['prices', 'stock'].map((service) => ask(service, film)))
  return prices.failed || stock.failed
    ? { failed: prices.failed ?? stock.failed }
    : { price: prices.price, stock: stock.stock }
}

async function ask (service, film) {
  try {
    const res = await fetch(`${UPSTREAM_URL}/${service}/${film}`)
    if (res.ok) return await res.json()
    await res.body?.cancel()
  } catch {}
  return { failed: service }
}
