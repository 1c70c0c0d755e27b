import { changeAnswers } from './shared/wire.js'

changeAnswers((req) => {
  for (let i = 0; i < 50; i++) req.socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')
})
