import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

const signals = 'Signals are sent from runner/process/signals.js alone, which proves first whose process it is ' +
  '(test/red-team/attacks/shared/signal.js for the red team).'
const removal = 'A folder with what is in it is removed by runner/process/temporary.js alone, which proves first who ' +
  'made it (test/temporary.js for tests).'
// As a word of its own, which may follow a path or another command.
const killCommand = [
  /(^|[\s;&|\x2F\\])(task|p)?kill(all)?(\.exe)?(\s+[-\x2F]|$)/,
  /process\.kill|\.kill\(|fuser\s+-k|kill-port/
].map(({ source }) => source).join('|')
const removeCommand = /(^|[\s;&|]|bin\x2F)rm(\s+-\w*[rR]|$)|rimraf/.source
const removes = '/^rm(dir)?(Sync)?$/'

/** What is refused everywhere but in the places that are named. */
const killing = [
  "MemberExpression[property.name='kill']",
  "MemberExpression[property.value='kill']",
  "MemberExpression[property.name='_debugProcess']",
  "ObjectPattern > Property[key.name='kill']",
  "ImportSpecifier[imported.name='kill']",
  "ExportSpecifier[local.name='kill']",
  `Literal[value=/${killCommand}/]`,
  `TemplateElement[value.raw=/${killCommand}/]`
].map((selector) => ({ selector, message: signals }))
const removing = [
  // One file may be removed anywhere, if nothing but `force` is asked for, and that in plain sight.
  `CallExpression[callee.property.name=${removes}] Property[key.name='recursive']`,
  `CallExpression[callee.property.name=${removes}] > ObjectExpression > SpreadElement`,
  `CallExpression[callee.property.name=${removes}][arguments.1][arguments.1.type!='ObjectExpression']`,
  `CallExpression[callee.name=${removes}]`,
  `MemberExpression[computed=true][property.value=${removes}]`,
  `CallExpression > MemberExpression.arguments[property.name=${removes}]`,
  `ObjectPattern > Property[key.name=${removes}]`,
  `ImportSpecifier[imported.name=${removes}]`,
  `Literal[value=/${removeCommand}/]`,
  `TemplateElement[value.raw=/${removeCommand}/]`
].map((selector) => ({ selector, message: removal }))

// Only the learner's: there are folders of ours with that name, too.
const ignores = resolveIgnoresFromGitignore().map((pattern) => pattern === '**/workspace/**' ? 'workspace/**' : pattern)

export default [
  ...neostandard({ ignores }),
  {
    // Broken on purpose: what a learner might hand in.
    ignores: ['test/submissions/*/wrong/syntax-*/**']
  },
  {
    rules: {
      'no-restricted-syntax': ['error', ...killing, ...removing],
      '@stylistic/max-len': ['error', { code: 120 }],
      '@stylistic/arrow-parens': ['error', 'always'],
      'max-lines-per-function': ['error', { max: 60 }]
    }
  },
  {
    // The types know what a browser has.
    files: [
      'runner/*/browser/*.js',
      'classroom/*/browser/*.js',
      'runner/http/browser.js',
      'runner/profiling/pages/browser/trace-charts.js',
      'test/web/*.js'
    ],
    rules: { 'no-undef': 'off' }
  },
  {
    files: ['runner/process/temporary.js', 'test/temporary.js'],
    rules: { 'no-restricted-syntax': ['error', ...killing] }
  },
  {
    files: [
      'runner/process/signals.js',
      'test/red-team/attacks/shared/signal.js',
      // Tries nothing outside a PID namespace of its own.
      'test/regrade/attacker/*.js',
      // Prints a command for the learner to run, and sends no signal.
      'lessons/07-blind-benchmark/loops.js',
      // Servers of a lesson that end their own workers, by the handles that cluster gave them.
      'solutions/11-cluster/primary.js',
      'test/submissions/11-cluster/wrong.js'
    ],
    rules: { 'no-restricted-syntax': ['error', ...removing] }
  },
  {
    // What refuses it has to name it.
    files: ['eslint.config.js', 'test/system/lint.test.js'],
    rules: { 'no-restricted-syntax': 'off' }
  }
]
