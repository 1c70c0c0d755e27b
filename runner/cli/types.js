/**
 * What a file of `commands/` exports. Only the given command is imported.
 *
 * @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>[string]} Flag
 *
 * @typedef {object} Command
 * @property {Record<string, Flag>} options the flags, for util.parseArgs
 * @property {string} usage one line: `npm run hint lesson-N [-- --all]`
 * @property {string} help the first line says what the command does, the rest is for `--help`
 * @property {number} [maxPositionals] more are refused; by default the command checks that itself
 * @property {number} [leastPositionals] how many words it needs: by default 1, if it takes any
 * @property {boolean} [namesNoCommand] in its output
 * @property {boolean} [isForAuthors] the lessons are theirs: they needn't confirm that they trust them
 * @property {boolean} [stays] runs until it is stopped, or npm has ended
 * @property {(given: Given) => Promise<number>} run resolves to the exit code
 *
 * @typedef {object} Given
 * @property {Record<string, any>} values the flags, parsed
 * @property {string[]} positionals
 * @property {Output} stdout
 * @property {Output} stderr
 * @property {NodeJS.ProcessEnv} env
 * @property {AbortSignal} signal aborted on Ctrl-C: clean up and return
 * @property {(sentence: string) => (() => void) | void} [onWait] called instead of printing that it waits for its turn;
 *   the function that it returns is called when the wait is over
 * @property {(sentences: string[]) => void} [onGist] called with the gist of the output
 *
 * @typedef {{ write: (text: string) => unknown, columns?: number, isTTY?: boolean }} Output
 */
export {}
