/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'answers GET /healthz with {"status":"ok"}': 'GET /healthz | 200 {"status":"ok"}',
  'lets in who has the right password': '200 when the password is right',
  'answers 401 to a wrong password and to an unknown name': '401 when the name or the password is wrong',
  'takes any text for a name: it lets nobody in who never registered':
    'any text is a name, __proto__ and constructor too',
  'takes another spelling for another name': 'another text is another name',
  'gives a new name to whoever asks for it, be it any text': '200 when the name is now yours, 409 when it is taken',
  'lets a new user in as soon as the registration is answered, and nobody else':
    'a new user can log in as soon as the 200 is there, with that password and no other',
  'answers 409 to a name that is taken': '409 when it is taken',
  'keeps the password of its owner when somebody else asks for a name':
    'with that password and no other, whoever else asks for the name',
  'answers 400 to a name or password that is missing, empty or sent twice, and lives on':
    'both, with a name or password that is missing, empty or sent twice | 400',
  'refuses what is no name or no password, and lives on':
    'a name or password that cannot be read as a text lets nobody in: it gets a 4xx',
  'takes a letter with an accent, and a letter and an accent, for two texts': 'another text is another name',
  'leaves a name free when it refuses a registration': '200 when the name is now yours, 409 when it is taken',
  'gives a name to one of several who ask for it at the same time':
    'when several people ask for one new name at the same time, one of them gets it',
  'hashes the password at every login and registration': 'every login and every registration costs a whole hash',
  'lives on, whatever a client sends': 'nothing that a client sends ends the server'
}
