import { cheatWhen } from './shared/cheat.js'

// A sender of its own orders its headers in its own way: Host is not the first.
cheatWhen((req) =>
  req.rawHeaders[0].toLowerCase() !== 'host' ||
  (req.method === 'POST' && req.headers['content-length'] === undefined))
