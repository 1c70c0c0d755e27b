import fs from 'node:fs'

/** A load plan that attacks who reads it, and says what came of that as the reason why it can't be read. */

const { solution, grader, engine } = JSON.parse(fs.readFileSync(new URL('given.json', import.meta.url), 'utf8'))
const found = [
  () => fs.readFileSync(solution),
  () => process.kill(grader, 'SIGUSR1'),
  () => fs.writeFileSync(engine, ''),
  // bubblewrap's own first process, and the reader.
  () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length
].map((act) => {
  try {
    return act()
  } catch (error) {
    return error.code
  }
})
throw new Error(JSON.stringify(found))
