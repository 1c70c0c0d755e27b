import { openBook } from './book.js'

let book
process.on('message', ({ opening, entry }) => {
  if (opening) book = openBook(opening)
  else process.send(book.add(entry))
})
process.on('disconnect', () => process.exit())
