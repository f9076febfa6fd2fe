/**
 * The chart, by Helm, which `npm run build -- helm` builds; without it these tests are skipped. That its manifests fit the service is
 * tested without Helm, on the one that lies beside it (deploy.test.ts).
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parseAllDocuments, stringify } from 'yaml'
import { folderForTests } from '../support/for-tests.ts'
import { HELM, KUBERNETES_VALIDATE } from '../support/go-tools.ts'

const testWithHelm = existsSync(HELM) ? test : test.skip
const testWithSchemas = existsSync(HELM) && existsSync(KUBERNETES_VALIDATE) ? test : test.skip
if (!existsSync(HELM)) console.warn('skipped: `npm run build -- helm` builds Helm, which these tests need')
const CHART = 'deploy/helm'

function helm(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(HELM, args, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** A file with everything that is off by default, but for what only the operator of Prometheus knows. */
const EVERYTHING = '__tests__/deploy/everything.yaml'

/** The objects of a release with these values, or files of values, by kind. */
function objectsOf(...values: readonly string[]) {
  const flags = values.flatMap((value) => [value === EVERYTHING ? '--values' : '--set', value])
  const { status, stdout, stderr } = helm('template', 'marks', CHART, ...flags)
  expect([status, stderr]).toEqual([0, ''])
  const objects = parseAllDocuments(stdout).map((one) => one.toJS())
  return Object.fromEntries(objects.map((object) => [object.kind, object]))
}

testWithHelm('the chart has no fault that Helm knows', () => {
  expect(helm('lint', '--strict', CHART)).toMatchObject({ status: 0, stdout: expect.stringContaining('0 chart(s) failed') })
})

testWithHelm('deploy/kubernetes.yaml is what `helm template annotation-service deploy/helm --no-hooks` writes', () => {
  expect(readFileSync('deploy/kubernetes.yaml', 'utf8')).toBe(helm('template', 'annotation-service', CHART, '--no-hooks').stdout)
})

test('every value of the chart has its meaning beside it, and a rule in the schema', () => {
  const lines = readFileSync(`${CHART}/values.yaml`, 'utf8').split('\n')
  const { properties } = JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8'))
  let group = ''
  for (const [at, line] of lines.entries()) {
    const [, indent = '', name = ''] = /^( *)(\w+):/.exec(line) ?? []
    if (name === '') continue
    if (indent === '') group = name
    const rules = indent === '' ? properties : properties[group].properties
    if (indent.length <= 2 && rules) expect([name, Object.keys(rules)]).toEqual([name, expect.arrayContaining([name])])
    // A comment may be about several that follow each other.
    const above = lines.slice(0, at).findLast((one) => one === '' || one.trim().startsWith('#')) ?? ''
    expect([name, above]).toEqual([name, expect.stringContaining('#')])
  }
})

testWithHelm('records are migrated by a job before anything is replaced, with the same secrets, unless it is turned off', () => {
  const { Job, Deployment, Service } = objectsOf('nodeSelector.disk=fast')
  expect(Job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  const [job, service] = [Job.spec.template.spec, Deployment.spec.template.spec]
  const [{ args, name: _, ...migrating }] = job.containers
  expect(args).toEqual(['migrate'])
  expect(service.containers[0]).toMatchObject(migrating)
  for (const member of ['volumes', 'securityContext', 'nodeSelector']) expect(job[member]).toEqual(service[member])
  // No request is sent to it.
  expect(Job.spec.template.metadata.labels).not.toMatchObject(Service.spec.selector)
  expect(objectsOf('migrationJob.enabled=false')).not.toHaveProperty('Job')
})

testWithHelm('the drain is in the flags and in the time that a service has to end, and more flags follow', () => {
  const { Deployment } = objectsOf('drainSeconds=60', 'args={--strict-datasets}', 'replicas=5')
  const { spec } = Deployment.spec.template
  expect(spec.containers[0].args).toEqual(['--host', '0.0.0.0', '--drain-seconds', '60', '--strict-datasets'])
  expect([spec.terminationGracePeriodSeconds, Deployment.spec.replicas]).toEqual([85, 5])
})

testWithHelm('metrics are scraped where that is asked for, with a token that is in a secret', () => {
  expect(objectsOf()).not.toHaveProperty('ServiceMonitor')
  const { ServiceMonitor, Service } = objectsOf('serviceMonitor.enabled=true', 'serviceMonitor.labels.release=prometheus')
  expect(ServiceMonitor.metadata.labels).toMatchObject({ release: 'prometheus' })
  expect(Service.metadata.labels).toMatchObject(ServiceMonitor.spec.selector.matchLabels)
  const [endpoint] = ServiceMonitor.spec.endpoints
  expect(endpoint).toMatchObject({
    path: '/metrics',
    authorization: { credentials: { name: 'annotation-service', key: 'metrics-token' } },
  })
  expect(endpoint.port).toBe(Service.spec.ports[0].name)
  // The alerts choose by the name of the job.
  const [job] = readFileSync('docs/operate.md', 'utf8').match(/(?<=job=")[^"]*/) ?? []
  expect(endpoint.relabelings).toEqual([{ targetLabel: 'job', replacement: job }])
})

testWithHelm('variables and volumes are those of services and of the job, and what is around them leads to the services', () => {
  const { Deployment, Job, Service, HorizontalPodAutoscaler, Ingress, NetworkPolicy } = objectsOf(EVERYTHING)
  for (const { containers, volumes } of [Deployment.spec.template.spec, Job.spec.template.spec]) {
    expect(containers[0].env.at(-1).value).toBe('/secrets/smtp-password')
    expect(containers[0].volumeMounts).toContainEqual({ name: 'ssl', mountPath: '/ssl' })
    expect(volumes).toContainEqual({ name: 'ssl', configMap: { name: 'ssl' } })
  }
  // Two that set the number of services would undo each other's work.
  expect(Deployment.spec).not.toHaveProperty('replicas')
  expect(HorizontalPodAutoscaler.spec.scaleTargetRef.name).toBe(Deployment.metadata.name)
  const [{ backend }] = Ingress.spec.rules[0].http.paths
  expect(backend.service).toEqual({ name: Service.metadata.name, port: { name: Service.spec.ports[0].name } })
  expect(Deployment.spec.template.metadata.labels).toMatchObject(NetworkPolicy.spec.podSelector.matchLabels)
  expect(NetworkPolicy.spec.policyTypes).toEqual(['Ingress', 'Egress'])
})

const manifests = folderForTests('manifests')

testWithSchemas.each(['1.27', '1.37'])('what the chart writes is as Kubernetes %s has it', (version) => {
  const file = join(manifests, `${version}.yaml`)
  const validate = (objects: readonly unknown[]) => {
    writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'))
    return spawnSync(KUBERNETES_VALIDATE, ['--strict', '--quiet', '-k', version, file], { encoding: 'utf8' })
  }
  const all = Object.values(objectsOf(EVERYTHING))
  for (const objects of [all, Object.values(objectsOf())]) expect(validate(objects)).toMatchObject({ status: 0 })
  const [first] = all as [{ spec: object }]
  expect(validate([{ ...first, spec: { ...first.spec, unheardOf: 1 } }])).toMatchObject({ status: 1 })
})

testWithHelm('a value that the chart does not have is refused by name', () => {
  const { status, stderr } = helm('template', 'marks', CHART, '--set', 'replicaCount=5')
  expect([status, stderr]).toEqual([1, expect.stringContaining('replicaCount')])
})
