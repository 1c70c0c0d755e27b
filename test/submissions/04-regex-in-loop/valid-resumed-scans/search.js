import LruCache from 'lru-cache'

/**
 * Movies are only ever added at the end, so what was found for a text stays found: a later search for it goes on where
 * the last one stopped, and sees what was added since. Bounded, because clients choose the texts.
 */
export function createSearch (movies) {
  const scans = new LruCache({ max: 500 })

  return (text, limit) => {
    const wanted = text.toLowerCase()
    const scan = scans.get(wanted) ?? { found: [], next: 0 }
    scans.set(wanted, scan)
    for (; scan.found.length < limit && scan.next < movies.length; scan.next++) {
      if (movies[scan.next].Genre.toLowerCase().includes(wanted)) scan.found.push(movies[scan.next])
    }
    return scan.found.slice(0, limit)
  }
}
