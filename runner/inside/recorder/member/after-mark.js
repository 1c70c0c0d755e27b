/**
 * A CPU profile without its beginning. Pure.
 *
 * @param {any} profile V8's
 * @param {number} us how much of the beginning is left out, µs
 * @returns {any}
 */
export function afterMark (profile, us) {
  const { samples, timeDeltas } = profile
  let passed = 0
  let first = 0
  while (first < samples.length && passed + timeDeltas[first] < us) passed += timeDeltas[first++]
  const kept = samples.slice(first)
  /** @type {Map<number, number>} */
  const hits = new Map()
  for (const id of kept) hits.set(id, (hits.get(id) ?? 0) + 1)
  return {
    ...profile,
    nodes: profile.nodes.map((/** @type {any} */ node) => ({ ...node, hitCount: hits.get(node.id) ?? 0 })),
    startTime: profile.startTime + us,
    samples: kept,
    timeDeltas: timeDeltas
      .slice(first)
      .map((/** @type {number} */ delta, /** @type {number} */ at) =>
        at === 0 ? Math.max(0, passed + delta - us) : delta
      )
  }
}
