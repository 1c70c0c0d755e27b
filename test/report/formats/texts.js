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
