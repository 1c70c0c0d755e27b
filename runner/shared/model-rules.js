/** Rules of every lesson: no operation says them. */
export const rules = {
  restart: 'gives the same answers after a restart on the same data',
  together: 'keeps concurrent requests apart',
  again: 'gives the same answer to the same request, whatever came in between',
  load: 'gives the same answers under load',
  later: 'gives the same answers some time after its start',
  http: 'answers as HTTP requires',
  stray: 'survives any request',
  starts: 'starts',
  inOrder: 'sends the responses of one connection in the order of its requests, even when they come in one go',
  crowd: 'gives everyone a turn in a crowd, and goes on after clients have left'
}
