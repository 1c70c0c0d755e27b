/** The words of the text that promise what the check demands. @type {Record<string, string>} */
export const promises = {
  'sends the whole catalogue, with its length and an ETag':
    'GET /movies | 200, all films as a JSON array, with Content-Length and a quoted ETag',
  'answers 304 to a client whose copy is current, and the list to any other':
    "304 without a body while the client's copy is current, else 200 with the list",
  'sends one film': 'GET /movies/:id | 200, one film',
  'answers 404 for a film that is not there': 'GET /movies/:id | 200, one film; 404 {"error":"not_found"}',
  'answers a new film with 201, the film with its id, and its Location':
    'POST /movies | 201, the film with its id, Location',
  'shows a new film in the very next read': 'A write is seen by the very next read',
  'refuses a film without a title': '400 {"error":"invalid_movie"} without a Title',
  'keeps what it has when it refuses a film': 'what is refused changes nothing',
  'refuses a body that is not JSON': 'A body that is not JSON gets a 4xx',
  'never gives two lists the same ETag, also when it was started anew':
    'Two different lists never have the same ETag, not even when the server was started anew.',
  'sends one whole list, also when a film is added while it is on its way':
    'GET /movies | 200, all films as a JSON array, with Content-Length and a quoted ETag',
  'answers the list to a tag that only looks like the current one':
    "304 without a body while the client's copy is current, else 200 with the list"
}
