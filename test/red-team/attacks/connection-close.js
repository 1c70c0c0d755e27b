import { changeAnswers } from './shared/wire.js'

changeAnswers((req, res) => { res.shouldKeepAlive = false })
