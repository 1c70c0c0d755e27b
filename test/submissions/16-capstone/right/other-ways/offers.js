const { UPSTREAM_URL } = process.env

export class UpstreamError extends Error {
  constructor (service) {
    super(`${service} failed`)
    this.service = service
  }
}

/** What a film costs and how many there are. fetch keeps its connections by itself. */
export async function offerFor (film) {
  const price = ask('prices', film)
  const stock = ask('stock', film)
  await Promise.allSettled([price, stock])
  return { ...await price, ...await stock }
}

async function ask (service, film) {
  try {
    const res = await fetch(`${UPSTREAM_URL}/${service}/${film}`)
    if (res.ok) return await res.json()
    await res.body?.cancel()
  } catch {}
  throw new UpstreamError(service)
}
