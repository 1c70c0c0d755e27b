import { cheatWhen } from './shared/cheat.js'

// A custom client orders headers in its own way: Host isn't the first.
cheatWhen((req) =>
  req.rawHeaders[0].toLowerCase() !== 'host' ||
  (req.method === 'POST' && req.headers['content-length'] === undefined))
