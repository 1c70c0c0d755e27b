/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'lets in who has the right password, with a token and who it is':
    'POST /login with { email, password } 200, { token, expiresIn, user: { id, firstName, lastName, avatar } }',
  'answers 401 to a wrong password and to an unknown e-mail':
    'A wrong password or an unknown e-mail address gets the 401.',
  'compares the whole hash':
    "a wrong one like a right one, with all the iterations that the user's record asks for, and compares all 512 bytes",
  'answers 400 to a parameter that is missing, empty or no text':
    'A parameter that is missing, empty or no text gets the 400.',
  'sends the avatar that lies on disk, as image/png':
    'GET /avatar/:id 200, the bytes of <id>.png in DATA_DIR, Content-Type: image/png',
  'answers 404 to somebody without an avatar': '404 {"error":"not_found"} when there is no such file',
  'answers 304 to a client whose copy is current, and the avatar to any other':
    '304 to a client whose copy is current (If-None-Match, If-Modified-Since)',
  'sends a changed avatar in the very next answer, whatever its date or its length':
    'an upload replaces an avatar, a clean-up removes one, a backup brings an old one back with its old date. ' +
      'The very next request after that shows it.',
  'notices at once that an avatar has gone':
    'a clean-up removes one, a backup brings an old one back with its old date. The very next request after ' +
      'that shows it.',
  'sends Last-Modified and Cache-Control with an avatar': 'ETag, Last-Modified, Cache-Control: public, max-age=0',
  'sends a changed avatar in the very next answer, also while people log in':
    'an upload replaces an avatar, a clean-up removes one, a backup brings an old one back with its old date. ' +
      'The very next request after that shows it.',
  'sends no file from outside the folder of the avatars':
    'No file from outside DATA_DIR, whatever the client puts into the URL.',
  'hashes the password at every login':
    'Every login hashes the password, a wrong one like a right one',
  'lets everybody in who comes at the same time, each with a token of their own':
    'Nobody is sent away. Sixteen people at once all get in',
  'lets in everybody who waits, also when others go before their turn':
    'Sixteen people at once all get in, also when others give up before it is their turn.'
}
