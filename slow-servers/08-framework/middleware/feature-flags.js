import { createHash } from 'node:crypto'

/** `req.features`: the keys of the features that are on for this user. */
export function featureFlags (flags) {
  return (req, res, next) => {
    const userId = req.session.user?.id ?? req.session.id
    req.features = structuredClone(flags)
      .filter(({ key, enabled, rollout }) => enabled && bucket(key, userId) < rollout)
      .map(({ key }) => key)
    next()
  }
}

/** 0 to 99: the user's place in the rollout of a feature. */
function bucket (key, userId) {
  return createHash('sha256').update(`${key}:${userId}`).digest().readUInt32BE(0) % 100
}
