/**
 * The helper's side: carries out orders and answers them. A helper ends when the check does, whichever way that ended.
 * This file is the door for processes of ours that a run starts: nothing but what they need, since every run waits for
 * them.
 *
 * @param {Record<string, (order: any) => any>} orders
 * @param {{ onOrphaned?: () => Promise<void> }} [options] onOrphaned: a last duty when the check is gone
 */
export function serveOrders (orders, { onOrphaned } = {}) {
  process.on('message', async (/** @type {{ id: number, type: string, order: any }} */ { id, type, order }) => {
    try {
      process.send?.({ id, value: await orders[type](order) })
    } catch (error) {
      process.send?.({ id, error: String(error?.stack ?? error) })
    }
  })
  let isOrphaned = false
  const end = async () => {
    if (isOrphaned) return
    isOrphaned = true
    await onOrphaned?.()
    process.exit()
  }
  process.on('disconnect', end)
  // The check may have gone before we listened for that.
  if (!process.connected) end()
  // SIGUSR1 would open our inspector to every program on this machine; Node 20 can't forbid it by a flag.
  process.on('SIGUSR1', () => {})
  // Ctrl-C reaches the whole foreground group; the check ends us when it has cleaned up.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {})
}
