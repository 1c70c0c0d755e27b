/** How often both servers can have their turn in this time, the warm-up of each taken off. */
export function roundsIn ({ budgetMs, warmUpMs, durationMs }) {
  return { warmUpMs, durationMs, rounds: Math.floor((budgetMs / 2 - warmUpMs) / durationMs) }
}
