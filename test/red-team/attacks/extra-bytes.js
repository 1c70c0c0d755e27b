import { changeAnswers } from './shared/wire.js'

changeAnswers((req, res) => res.on('finish', () => req.socket.write('and more')))
