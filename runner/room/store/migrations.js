import { WorkshopError } from '../../errors.js'
import { inTransaction } from './transaction.js'

/** @import { Database } from './database.js' */

/** In order; a released migration is never changed, only followed by another. */
const migrations = [`
CREATE TABLE room (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  settings TEXT NOT NULL
);
CREATE TABLE seats (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  nickname TEXT,
  on_board INTEGER NOT NULL,
  joined_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  removed_at TEXT
);
CREATE TABLE reports (
  seat INTEGER NOT NULL REFERENCES seats (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('reported', 'imported', 'verified')),
  lesson TEXT NOT NULL,
  verdict TEXT NOT NULL,
  reason TEXT,
  ratio REAL,
  low REAL,
  high REAL,
  share REAL,
  tier TEXT,
  unfit TEXT NOT NULL,
  started_at TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  received_at TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (seat, id)
);
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  about TEXT NOT NULL
);
`, ['lesson', 'verdict', 'reason', 'ratio', 'low', 'high', 'share', 'tier', 'unfit']
  .map((column) => `ALTER TABLE reports DROP COLUMN ${column};`).join('\n'), `
UPDATE room SET settings = json_remove(json_set(settings, '$.messages', json(
  CASE WHEN json_extract(settings, '$.message') = '' THEN json_array() ELSE json_array(json_object(
    'id', 1, 'text', json_extract(settings, '$.message'), 'to', 'all',
    'sentAt', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'endsAt', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+20 minutes')
  )) END
)), '$.message');
`, `
CREATE TABLE submissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  seat INTEGER NOT NULL REFERENCES seats (id) ON DELETE CASCADE,
  lesson TEXT NOT NULL,
  hash TEXT NOT NULL,
  files TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'done', 'stuck')),
  round INTEGER NOT NULL,
  token INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  worker TEXT,
  received_at INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  taken_at INTEGER,
  lease_until INTEGER,
  graded_at INTEGER,
  problem TEXT,
  result TEXT,
  cheat TEXT,
  UNIQUE (seat, lesson, hash)
);
CREATE INDEX submissions_by_place ON submissions (state, round, id);
CREATE INDEX submissions_by_round ON submissions (seat, round);
`, `
CREATE INDEX submissions_taken ON submissions (round) WHERE taken_at IS NOT NULL;
`, `
CREATE TABLE predictions (
  seat INTEGER NOT NULL REFERENCES seats (id) ON DELETE CASCADE,
  lesson TEXT NOT NULL,
  ratio REAL NOT NULL,
  PRIMARY KEY (seat, lesson)
);
`]

/**
 * Brings a database to the newest schema, one migration after the other, each in a transaction.
 *
 * @param {Database} database
 * @param {() => void} before called if a room has to change
 * @throws {WorkshopError} a newer workshop wrote it
 */
export function migrate (database, before) {
  const version = Number(Object.values(database.prepare('PRAGMA user_version').get())[0])
  if (version > migrations.length) {
    throw new WorkshopError('This room was written by a newer version of the workshop: run `git pull`.')
  }
  if (version > 0 && version < migrations.length) before()
  migrations.slice(version).forEach((sql, at) => inTransaction(database, () => {
    database.exec(sql)
    database.exec(`PRAGMA user_version = ${version + at + 1}`)
  }))
}
