import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

const signals = 'Signals are sent from runner/system/signals.js alone, which proves first whose process it is (test/red-team/attacks/shared/signal.js for the red team).'
const removal = 'A folder with what is in it is removed by runner/system/temporary.js alone, which proves first who made it (test/temporary.js for tests).'
const command = /^\s*(task|p)?kill(all)?(\.exe)?(\s|$)|process\.kill|\.kill\(/.source

/** What is refused everywhere but in the places that are named. */
const killing = [
  "MemberExpression[property.name='kill']",
  "MemberExpression[property.value='kill']",
  "ObjectPattern > Property[key.name='kill']",
  "ImportSpecifier[imported.name='kill']",
  `Literal[value=/${command}/]`,
  `TemplateElement[value.raw=/${command}/]`
].map((selector) => ({ selector, message: signals }))
const removing = [
  "CallExpression[callee.property.name=/^rm(dir)?(Sync)?$/] Property[key.name='recursive']",
  "CallExpression[callee.name=/^rm(dir)?(Sync)?$/] Property[key.name='recursive']"
].map((selector) => ({ selector, message: removal }))

// Only the learner's: there are folders of ours with that name, too.
const ignores = resolveIgnoresFromGitignore().map((pattern) => pattern === '**/workspace/**' ? 'workspace/**' : pattern)

export default [
  ...neostandard({ ignores }),
  {
    // Broken on purpose: what a learner might hand in.
    ignores: ['test/submissions/**/invalid-syntax-*/**']
  },
  {
    rules: { 'no-restricted-syntax': ['error', ...killing, ...removing] }
  },
  {
    files: ['runner/system/temporary.js', 'test/temporary.js'],
    rules: { 'no-restricted-syntax': ['error', ...killing] }
  },
  {
    files: [
      'runner/system/signals.js',
      'test/red-team/attacks/shared/signal.js',
      // What refuses it has to name it.
      'eslint.config.js',
      'test/system/lint.test.js',
      // Servers of a lesson that end their own workers, by the handles that cluster gave them.
      'solutions/11-cluster/primary.js',
      'test/submissions/11-cluster/invalid-all-restarted/server.js'
    ],
    rules: { 'no-restricted-syntax': ['error', ...removing] }
  }
]
