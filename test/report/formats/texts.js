import { createRandom } from '../../../runner/shared/random.js'

/** What a learner's server might write to break or command a program that reads its report. */
export const nasty = [
  ']]></failure><testcase name="mine"/> <!-- &amp; & &#0; ]]> \u0000\u001b[31mred\u001b[0m \ufffe \ud800 \u2028',
  '::error file=a.js,line=1::mine %0A%25 ##[error]mine',
  '  ::stop-commands::x',
  '| a | b | **bold** _it_ `code` ~~no~~ # 1) $x$ \\| [link](http://evil.example/) ![x](http://evil.example/x.png)',
  '<img src=x onerror=alert(1)> </pre></details><script>alert(1)</script> <!-- www.evil.example http://evil.example',
  '@octocat #1 :tada: {"score": 100}',
  '- 1. list',
  '==='
].join('\r\n')

/** Characters that end, begin or break something in XML, JSON, Markdown, HTML or a command, and those that hide. */
const odd = [
  ...'\u0000\u0001\b\t\n\v\r\u001b\u007f\u0085\u009b\u00a0\u00ad\u200b\u200d\u2028\u202e\u2066\ufeff\ufffe',
  ...'<>&"\'`*_~#-+=|\\/[](){}!@$%^:;.,? 10aAé映🚀',
  ...['\uffff', '\ud800', '\udfff', '::', '%0A', ']]>', '-->', '&#', 'http://', '\r\n']
]

/** Texts of such characters, the same in each run. */
export const oddTexts = Array.from({ length: 60 }, (_, at) => {
  const random = createRandom(`text ${at}`)
  return Array.from({ length: random.int(1, 30) }, () => random.pick(odd)).join('')
})
