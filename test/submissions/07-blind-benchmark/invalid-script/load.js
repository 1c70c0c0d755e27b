// A load generator of its own.
export default async function load ({ port }) {
  const startedAt = performance.now()
  for (let i = 0; i < 100; i++) await (await fetch(`http://127.0.0.1:${port}/work`)).text()
  return 100 / (performance.now() - startedAt) * 1000
}
