import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { resolveLesson } from '../../runner/lesson/index.js'
import { temporaryFolder } from '../temporary.js'

/**
 * A repository of the workshop in a temporary folder, removed after the test.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [files] more files, by path; the text replaces that of the fixture
 * @returns {Promise<string>} its root
 */
export async function makeRepository (t, files = {}) {
  const root = temporaryFolder(t)
  const all = {
    ...lessonFiles('01-sync-login'),
    ...lessonFiles('03-in-memory-json'),
    ...lessonFiles('12-overload'),
    ...files
  }
  for (const [name, text] of Object.entries(all)) {
    const file = path.join(root, ...name.split('/'))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return root
}

/** Its lesson 3. @param {import('node:test').TestContext} t @param {Record<string, string>} [files] */
export async function makeEntry (t, files) {
  const root = await makeRepository(t, files)
  return { ...await resolveLesson('3', { root, env: {} }), file: 'server.js' }
}

/**
 * The environment of a command that works on this repository.
 *
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function envFor (root) {
  return { ...process.env, MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: path.join(root, 'workspace') }
}

/** A lesson with nothing wrong about it. */
export function wholeLesson (id = 'in-memory-json') {
  return {
    id,
    title: `Title of ${id}`,
    summary: 'Make it fast.',
    contract: [
      { name: 'answers', run: async () => {} },
      { name: 'is polite', when: ['before', 'during'], run: async () => {} }
    ],
    knownToFail: [{ check: 'is polite', why: 'it never was' }],
    loads: {
      mixed: { stream: () => () => ({}), connections: 10, probe: { stream: () => () => ({}), rate: 50 } },
      counted: { stream: () => () => ({}), connections: 10, exactly: 300, fresh: true }
    },
    gates: [
      { name: 'rate', kind: 'rate', load: 'mixed', target: 4, look: 'What runs for each request?' },
      { name: 'health', kind: 'latency', load: 'mixed', target: () => 10, percentile: 99, look: 'Who waits?' },
      { name: 'steady', kind: 'degradation', load: 'counted', target: 1.5, look: 'What grows?' }
    ],
    sourceHints: [{ pattern: /Sync\(/, warning: 'A synchronous call is left.' }],
    mechanism: { expected: 'less work for each request', load: 'mixed', cpuPerRequest: 'falls' }
  }
}

/** @param {string} folder @returns {Record<string, string>} */
function lessonFiles (folder) {
  const id = folder.replace(/^\d+-/, '')
  return {
    [`lessons/${folder}/lesson.js`]: `${wholeLesson}\nexport default wholeLesson('${id}')\n`,
    [`lessons/${folder}/hints.md`]:
      `# Hints\n\n## 1\n\nFirst hint of ${id}.\n\n## 2\n\nSecond hint of ${id}.\n\n` +
      `## 3\n\nThird hint of ${id}.\n`,
    [`slow-servers/${folder}/server.js`]: `// the slow server of ${id}\n`,
    [`slow-servers/${folder}/lib/data.js`]: '// its other file\n',
    'package.json': '{"type":"module"}\n'
  }
}
