import { connectInspector } from './connect.js'

/**
 * What a process still holds after a forced collection, in bytes: objects on V8's heap, and buffers outside of it.
 * Both are the process's own word: it could close its inspector and answer at that port itself. A lesson about memory
 * also judges the resident memory, which is read from outside.
 *
 * @param {string} url of its inspector
 * @returns {Promise<{ heapBytes: number, externalBytes: number }>}
 * @throws {Error} the process does not let itself be inspected
 */
export async function readMemory (url) {
  const session = await connectInspector(url)
  try {
    // Finalisers run after the first collection, and let go of more.
    await session.send('HeapProfiler.collectGarbage')
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'process.memoryUsage().external',
      returnByValue: true
    })
    return { heapBytes: usedSize, externalBytes: Number.isFinite(result.value) ? Math.max(0, result.value) : 0 }
  } finally {
    session.close()
  }
}
