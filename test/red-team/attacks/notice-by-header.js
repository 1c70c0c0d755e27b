import { cheatWhen } from './shared/cheat.js'

// A sender of its own orders its headers in its own way: Host is not the first.
cheatWhen(({ method, headers, rawHeaders: [first] }) =>
  first.toLowerCase() !== 'host' || (method === 'POST' && headers['content-length'] === undefined))
