/**
 * What a file of `commands/` exports. Only the file of the command that was given is imported.
 *
 * @typedef {object} Command
 * @property {NonNullable<import('node:util').ParseArgsConfig['options']>} options the flags, for util.parseArgs
 * @property {string} usage one line: `npm run hint lesson-N [-- --all]`
 * @property {string} help the first line says what the command does, the rest is for `--help`
 * @property {number} [maxPositionals] more are refused; without it the command sees to that itself
 * @property {number} [leastPositionals] so many words it needs: by default 1, where it takes any
 * @property {boolean} [namesNoCommand] in what it prints
 * @property {boolean} [stays] until it is told to stop: it stops as well when npm has ended
 * @property {(given: Given) => Promise<number>} run resolves to the exit code
 *
 * @typedef {object} Given
 * @property {Record<string, any>} values the flags, parsed
 * @property {string[]} positionals
 * @property {Output} stdout
 * @property {Output} stderr
 * @property {NodeJS.ProcessEnv} env
 * @property {AbortSignal} signal aborted on Ctrl-C: clean up and return
 * @property {(sentence: string) => (() => void) | void} [onWait] another way to tell that it waits for its turn; what
 *   it gives back is called when it has it
 * @property {(sentences: string[]) => void} [onGist] learns what the output comes to
 *
 * @typedef {{ write: (text: string) => unknown, columns?: number, isTTY?: boolean }} Output
 */
export {}
