import fs from 'node:fs'

/**
 * One route set, served by the framework that is named and installed next to this file: `node route-set.mjs express`.
 * Apart from tsc, which has no types of what isn't installed here.
 */

const { movies } = JSON.parse(fs.readFileSync('data.json', 'utf8'))
/** What each path answers as JSON, given its parameters and its query. */
const routes = Object.entries({
  '/movies': () => movies,
  '/movies/:id': ({ id }) => movies[id - 1],
  '/years/:year': ({ year, limit }) => movies.filter((movie) => movie.year === Number(year)).slice(0, limit)
})
const { PORT: port, HOST: host } = process.env
const [name] = process.argv.slice(2)
const { default: framework } = await import(name)
const serve = { express: serveExpress, fastify: serveFastify, restify: serveRestify }
serve[name]()

function serveExpress () {
  const app = framework()
  for (const [path, answer] of routes) app.get(path, (req, res) => res.json(answer({ ...req.params, ...req.query })))
  app.listen(port, host)
}

function serveFastify () {
  const app = framework()
  for (const [path, answer] of routes) app.get(path, async (req) => answer({ ...req.params, ...req.query }))
  app.listen({ port, host })
}

function serveRestify () {
  const server = framework.createServer()
  server.use(framework.plugins.queryParser({ mapParams: true }))
  for (const [path, answer] of routes) server.get(path, async (req, res) => res.send(answer(req.params)))
  server.listen(port, host)
}
