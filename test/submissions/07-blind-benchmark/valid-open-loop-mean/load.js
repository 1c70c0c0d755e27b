// Well below what either server can do, so that nobody waits for long. One load answers both questions.
const usual = { rate: 60, warmup: 20, duration: 1, rounds: 60 }

export default {
  compare: { ...usual, report: 'mean' },
  tail: { ...usual, report: 'p99' }
}
