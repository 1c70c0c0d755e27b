/**
 * Loaded before a process of the workshop's own: SIGUSR1 would open its inspector to every program on this machine, and
 * through it the slow server could be made slower. Node 20 has no flag that forbids it.
 */
process.on('SIGUSR1', () => {})
