import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

export default [
  ...neostandard({ ignores: resolveIgnoresFromGitignore() }),
  {
    // Broken on purpose: what a learner might hand in.
    ignores: ['test/submissions/**/invalid-syntax-*/**']
  }
]
