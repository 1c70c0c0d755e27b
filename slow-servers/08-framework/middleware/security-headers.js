const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"]
}

const permissionsPolicy = { camera: [], geolocation: [], microphone: [], payment: ['self'] }

const defaults = {
  strictTransportSecurity: { maxAge: 31536000, includeSubDomains: true },
  referrerPolicy: 'no-referrer',
  frameOptions: 'DENY'
}

export function securityHeaders (options = {}) {
  return (req, res, next) => {
    const { strictTransportSecurity, referrerPolicy, frameOptions } = { ...structuredClone(defaults), ...options }
    const { maxAge, includeSubDomains } = strictTransportSecurity
    res.set('Content-Security-Policy', directives(contentSecurityPolicy))
    res.set('Strict-Transport-Security', `max-age=${maxAge}${includeSubDomains ? '; includeSubDomains' : ''}`)
    res.set('Permissions-Policy', Object.entries(permissionsPolicy)
      .map(([feature, list]) => `${feature}=(${list.join(' ')})`)
      .join(', '))
    res.set('X-Content-Type-Options', 'nosniff')
    res.set('X-Frame-Options', frameOptions)
    res.set('Referrer-Policy', referrerPolicy)
    res.set('Cross-Origin-Opener-Policy', 'same-origin')
    res.set('Cross-Origin-Resource-Policy', 'same-site')
    next()
  }
}

/** `defaultSrc: ["'none'"]` is `default-src 'none'` on the wire. */
function directives (policy) {
  return Object.entries(policy)
    .map(([name, sources]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), ...sources].join(' '))
    .join('; ')
}
