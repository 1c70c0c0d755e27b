/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers GET /healthz with {"status":"ok"}': 'GET /healthz: 200 {"status":"ok"}.',
  'lets in who has the right password, with all that the text says':
    'else 200 with accessTokenExpiresIn and refreshTokenExpiresIn (seconds, from config.json) and an xsrfToken',
  'gives every login tokens of its own, and refuses a wrong password also after a right one':
    'Each login stands for itself: it gets new random tokens of its own, and a wrong password is refused also ' +
      'after a right one.',
  'honours a refresh token':
    'POST /token honours the cookie refresh_token once, whatever other cookies come with it: 200 with a new ' +
      'access_token',
  'honours a refresh token once': 'POST /token honours the cookie refresh_token once',
  'refuses a refresh token that it did not give out': 'Without a good one it answers 401.',
  'answers 401 to a wrong password and to an unknown e-mail':
    '401 {"error":"bad_credentials", …} for wrong credentials',
  'compares the whole hash': 'compares all 512 bytes',
  'answers 400 to a parameter that is missing, empty or no text':
    '400 {"error":"missing_required_parameters", …} when one is missing, empty or no text',
  'gives the same message for an unknown e-mail and a wrong password':
    'with the same message for an unknown e-mail and a wrong password',
  'makes new random tokens for every login': 'Each login stands for itself: it gets new random tokens of its own',
  'hashes the password at every login': 'Every login hashes the password',
  'answers each of several logins at the same time with its own tokens':
    'Each login stands for itself: it gets new random tokens of its own',
  'honours a refresh token once, also when several present it at the same time':
    'POST /token honours the cookie refresh_token once',
  'honours a refresh token, whatever other cookies come with it':
    'POST /token honours the cookie refresh_token once, whatever other cookies come with it'
}
