import assert from 'node:assert/strict'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import test from 'node:test'
import { parseArgs } from 'node:util'
import { Ajv } from 'ajv'
import { lessonsRoot } from '../../runner/lesson/index.js'
import { readMarkdown } from './markdown.js'

/**
 * The manifests of docs/grading.md and all workflows, against what Kubernetes and GitHub know of the fields that they
 * use: nothing mistyped, nothing missing. The whole schemas have megabytes; the manifests have passed those, too
 * (kubernetes-models 4.5.1, 2026-11-23).
 */

/** eslint brings it along. @type {{ load: (text: string) => any }} */
const yaml = createRequire(createRequire(import.meta.url).resolve('@eslint/eslintrc'))('js-yaml')

/** @param {Record<string, object>} required @param {Record<string, object>} [optional] */
const object = (required, optional = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false
})
const [text, count] = [{ type: 'string', minLength: 1 }, { type: 'integer', minimum: 1 }]
const list = (/** @type {object} */ items) => ({ type: 'array', items, minItems: 1 })
const only = (/** @type {unknown} */ value) => ({ const: value })
const name = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' }
const labels = { type: 'object', additionalProperties: text }
const amounts = object({
  cpu: { type: 'string', pattern: '^\\d+$' },
  memory: { type: 'string', pattern: '^\\d+[MG]i$' }
})
const container = object({
  name,
  image: text,
  command: list(text),
  resources: object({ requests: amounts, limits: amounts }),
  securityContext: object({
    runAsUser: count,
    runAsNonRoot: only(true),
    allowPrivilegeEscalation: only(false),
    procMount: { enum: ['Default', 'Unmasked'] },
    capabilities: object({ drop: only(['ALL']) }),
    seccompProfile: object({ type: { enum: ['Unconfined', 'RuntimeDefault', 'Localhost'] } })
  })
}, {
  env: list(object({
    name: { type: 'string', pattern: '^[A-Z_]+$' },
    valueFrom: object({ secretKeyRef: object({ name, key: text }) })
  })),
  volumeMounts: list(object({ name, mountPath: { type: 'string', pattern: '^/' } }))
})
// procMount: Unmasked is refused in a pod that shares the user namespace of its node.
const pod = object({ hostUsers: only(false), automountServiceAccountToken: only(false), containers: list(container) }, {
  restartPolicy: { enum: ['Never', 'OnFailure', 'Always'] },
  volumes: list(object({ name, persistentVolumeClaim: object({ claimName: name }) })),
  affinity: object({
    podAntiAffinity: object({
      requiredDuringSchedulingIgnoredDuringExecution:
        list(object({ labelSelector: object({ matchLabels: labels }), topologyKey: text }))
    })
  })
})
const step = object({}, {
  uses: text,
  run: text,
  if: text,
  with: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
  'working-directory': text
})
const schemas = {
  Job: object({
    apiVersion: only('batch/v1'),
    kind: only('Job'),
    metadata: object({ name }),
    spec: object({ backoffLimit: count, template: object({ spec: pod }) })
  }),
  Deployment: object({
    apiVersion: only('apps/v1'),
    kind: only('Deployment'),
    metadata: object({ name }),
    spec: object({
      replicas: count,
      selector: object({ matchLabels: labels }),
      template: object({ metadata: object({ labels }), spec: pod })
    })
  }),
  Workflow: object({
    name: text,
    on: { anyOf: [text, list(text), { type: 'object' }] },
    permissions: { type: 'object', additionalProperties: { enum: ['read', 'none'] } },
    jobs: {
      type: 'object',
      additionalProperties: object({
        'runs-on': { anyOf: [text, list(text)] },
        'timeout-minutes': count,
        steps: list({ ...step, oneOf: [{ required: ['uses'] }, { required: ['run'] }] })
      })
    }
  })
}

const documents = ['grading.md', 'automation.md'].flatMap((name) =>
  readMarkdown(fs.readFileSync(path.join(lessonsRoot(), 'docs', name), 'utf8')).code
    .flatMap(({ language, text }) => language === 'yaml' ? [yaml.load(text)] : []))
const manifests = documents.filter(({ kind }) => kind !== undefined)

/** @param {any} document @param {keyof schemas} kind */
function assertValid (document, kind) {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false })
  const isValid = ajv.validate(schemas[kind], document)
  assert.ok(isValid, `${kind} ${document.name ?? ''}: ${ajv.errorsText()}`)
}

test('every workflow has only fields that there are', () => {
  const workflows = documents.filter(({ kind }) => kind === undefined)
  assert.equal(workflows.length, 3)
  for (const workflow of workflows) assertValid(workflow, 'Workflow')
})

test('docs/grading.md has a Job and a Deployment, each with only fields that there are', () => {
  assert.deepEqual(manifests.map(({ kind }) => kind), ['Job', 'Deployment'])
  for (const manifest of manifests) {
    assertValid(manifest, manifest.kind)
    const { containers: [{ volumeMounts = [] }], volumes = [] } = manifest.spec.template.spec
    const names = (/** @type {any[]} */ all) => all.map((one) => one.name)
    assert.deepEqual(names(volumeMounts), names(volumes))
  }
  const [{ spec: { template } }, { spec: deployment }] = manifests
  assert.equal(template.spec.restartPolicy, 'Never')
  assert.deepEqual(deployment.selector.matchLabels, deployment.template.metadata.labels)
})

test('what their containers run are commands with flags that there are', async () => {
  for (const { spec } of manifests) {
    const [{ command }] = spec.template.spec.containers
    const [name, ...args] = command.slice(2).filter((/** @type {string} */ word) => word !== '--')
    const { options } = await import(`../../runner/cli/commands/${name}.js`)
    parseArgs({ args, options, allowPositionals: true })
  }
})
