#!/usr/bin/env node
// No static import and no young syntax here: an old Node has to get as far as the sentence that names the way out.
const version = process.versions.node.split('.').map(Number)

if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  process.stderr.write('Make It Fast needs Node.js 20.19 or newer, and this is ' + process.versions.node +
    ': install a newer one from https://nodejs.org and run the command again.\n')
  process.exitCode = 3
} else {
  import('./cli/main.js').then(({ main }) => main())
}
