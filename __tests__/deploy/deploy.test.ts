/**
 * What describes a deployment says the same everywhere: Dockerfile, compose.yaml, the unit of systemd, the service's flags.
 * `.ci/packages` runs what can be run of them without a container engine.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { PROBES } from '../../packages/contract/src/health.ts'
import { createServeCommand } from '../../packages/service/src/commands/flags.ts'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const instruction = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(dockerfile)?.[1] ?? ''
const unit = readFileSync('deploy/annotation-service.service', 'utf8')
const setting = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1])
const options = createServeCommand().options
const variables = [...options.flatMap(({ envVar }) => envVar ?? []), 'ANNOTATION_SERVICE_ENCRYPTION_KEY']

interface ComposeService {
  build: string | { context: string; args: Record<string, string> }
  image?: string
  environment: Record<string, string>
  hostname?: string
  command?: string[]
  ports?: string[]
  volumes: string[]
  profiles?: string[]
  depends_on?: Record<string, { condition: string }>
}
const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>
  volumes: Record<string, null>
}
const all = Object.entries(compose.services).filter(([, { build }]) => build !== undefined)
const ours = all.filter(([name]) => !name.startsWith('several'))

test('compose.yaml starts the image with its volume and its port, on loopback only', () => {
  expect(ours.map(([name]) => name)).toEqual(['service', 'service-on-clickhouse'])
  for (const [, service] of ours) {
    expect(service.ports?.map((port) => /^127\.0\.0\.1:\d+:(\d+)$/.exec(port)?.[1])).toEqual([instruction('EXPOSE')])
    expect(service.volumes.map((volume) => volume.split(':')[1])).toEqual([instruction('VOLUME')])
  }
  const published = ours.flatMap(([, { ports }]) => ports ?? [])
  expect(new Set(published).size).toBe(published.length)
})

test('compose.yaml declares every volume that it uses, and no other', () => {
  const used = Object.values(compose.services).flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0]))
  expect(used.sort()).toEqual(Object.keys(compose.volumes).sort())
})

test('without a profile compose.yaml starts the service alone, with its embedded storage', () => {
  const started = Object.entries(compose.services).filter(([, { profiles }]) => !profiles)
  expect(started.map(([name]) => name)).toEqual(['service'])
  expect(compose.services.service?.environment).not.toHaveProperty('ANNOTATION_SERVICE_CLICKHOUSE')
})

test('the service on ClickHouse waits for its server, and has its user, password and database', () => {
  const { service, server } = { service: compose.services['service-on-clickhouse'], server: compose.services.clickhouse }
  expect(service?.depends_on).toEqual({ clickhouse: { condition: 'service_healthy' } })
  const { CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password, CLICKHOUSE_DB: database } = server?.environment ?? {}
  expect(service?.environment.ANNOTATION_SERVICE_CLICKHOUSE).toBe(`http://${user}:${password}@clickhouse:8123/${database}`)
  expect(service?.build).toEqual({ context: '.', args: { OMIT: 'optional' } })
  expect(dockerfile).toContain('ARG OMIT=')
})

test('the variables that a deployment sets are variables of the service', () => {
  const set = [
    ...all.flatMap(([, { environment }]) => Object.keys(environment)),
    ...[dockerfile, unit].flatMap((text) => text.match(/ANNOTATION_SERVICE_\w+(?==)/g) ?? []),
  ]
  expect([...new Set(set)].filter((name) => !variables.includes(name))).toEqual([])
})

test('several services share their databases, have a port each, and drain before they are killed', () => {
  const { several, clickhouse, postgres } = compose.services
  expect(Object.keys(several?.depends_on ?? {})).toEqual(['clickhouse', 'postgres'])
  for (const server of [several, clickhouse, postgres]) expect(server?.profiles).toContain('scale')
  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: database } = postgres?.environment ?? {}
  expect(several?.environment.ANNOTATION_SERVICE_POSTGRES).toBe(`postgres://${user}:${password}@postgres:5432/${database}`)
  expect(several?.environment.ANNOTATION_SERVICE_CLICKHOUSE).toBe(
    compose.services['service-on-clickhouse']?.environment.ANNOTATION_SERVICE_CLICKHOUSE,
  )
  expect(several?.ports).toEqual([`127.0.0.1:8790-8792:${instruction('EXPOSE')}`])
})

test('the cluster has the hosts, the numbers and the name that its configuration says, and services that wait for it', () => {
  const members = Object.entries(compose.services).filter(([, { profiles }]) => profiles?.join() === 'cluster')
  const hosts = members.flatMap(([name, { hostname }]) => (hostname === name ? [name] : []))
  const [server, keeper] = ['clickhouse', 'keeper'].map((name) => readFileSync(`deploy/cluster/${name}.xml`, 'utf8')) as [
    string,
    string,
  ]
  const find = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match.slice(1).join('-'))
  const replicas = find(server, /<replica><host>(.*?)</g)
  const keepers = find(server, /<node><host>(.*?)</g)
  expect([replicas.length, keepers.length, [...replicas, ...keepers].sort()]).toEqual([4, 3, hosts.sort()])
  expect(find(keeper, /<id>(\d)<\/id><hostname>keeper-(\d)</g)).toEqual(['1-1', '2-2', '3-3'])
  for (const name of hosts) {
    const { environment } = compose.services[name] as ComposeService
    for (const variable of find(name.startsWith('keeper') ? keeper : server, /from_env="(\w+)"/g))
      expect([name, environment]).toEqual([name, expect.objectContaining({ [variable]: expect.any(String) })])
    const { SHARD, REPLICA, KEEPER_ID } = environment
    expect(SHARD ? `shard-${SHARD}-replica-${REPLICA}` : `keeper-${KEEPER_ID}`).toBe(name)
  }
  const services = compose.services['several-on-cluster'] as ComposeService
  expect(Object.keys(services.depends_on ?? {}).sort()).toEqual(['postgres', ...replicas].sort())
  expect(services.command).toEqual(['--host', '0.0.0.0', '--clickhouse-cluster', find(server, /<remote_servers>\s*<(\w+)>/g)[0]])
  const {
    CLICKHOUSE_USER: user,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DB: database,
  } = compose.services[replicas[0] ?? '']?.environment ?? {}
  for (const url of services.environment.ANNOTATION_SERVICE_CLICKHOUSE?.split(',') ?? [])
    expect(replicas.map((name) => `http://${user}:${password}@${name}:8123/${database}`)).toContain(url)
})

test('the manifest asks the probes, gives flags and variables that there are, and waits for the drain', () => {
  const documents = parseAllDocuments(readFileSync('deploy/kubernetes.yaml', 'utf8')).map((one) => one.toJS())
  expect(documents.map(({ kind }) => kind)).toEqual(['PodDisruptionBudget', 'Service', 'Deployment'])
  const [budget, service, deployment] = documents
  const { spec } = deployment.spec.template
  const [container] = spec.containers
  expect(container.ports[0].containerPort).toBe(Number(instruction('EXPOSE')))
  expect([container.livenessProbe, container.readinessProbe].map(({ httpGet }) => `GET ${httpGet.path}`)).toEqual([
    PROBES.live.call,
    PROBES.ready.call,
  ])
  const flags = (container.args as string[]).filter((arg) => arg.startsWith('--'))
  expect(flags.filter((flag) => !options.some(({ long }) => long === flag))).toEqual([])
  const names = (container.env as { name: string }[]).map(({ name }) => name.replace(/_FILE$/, ''))
  expect(names.filter((name) => !variables.includes(name))).toEqual([])
  const drainSeconds = Number(container.args[container.args.indexOf('--drain-seconds') + 1])
  const { periodSeconds, failureThreshold } = container.readinessProbe
  expect(drainSeconds).toBeGreaterThan(2 * periodSeconds * failureThreshold)
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainSeconds + 20)
  expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas)
  for (const selector of [service.spec.selector, budget.spec.selector.matchLabels, deployment.spec.selector.matchLabels])
    expect(deployment.spec.template.metadata.labels).toMatchObject(selector)
})

test('the flags that the image gives are flags of the service, and no more than it needs', () => {
  const args = JSON.parse(instruction('CMD')) as string[]
  const flags = args.filter((arg) => arg.startsWith('--'))
  expect(flags.filter((flag) => !options.some(({ long }) => long === flag))).toEqual([])
  expect(options.find(({ long }) => long === '--port')?.defaultValue).toBe(Number(instruction('EXPOSE')))
})

test('the unit runs what the image installs, keeps its data where systemd lets it, and no more', () => {
  const folder = /--prefix (\S+)/.exec(dockerfile)?.[1]
  expect(setting('ExecStart')).toEqual([`${folder}/node_modules/.bin/annotation-service`])
  expect(setting('Environment')[0]).toContain(`ANNOTATION_SERVICE_DATA=/var/lib/${setting('StateDirectory')[0]} `)
  expect([setting('ProtectSystem'), setting('User'), setting('CapabilityBoundingSet')]).toEqual([
    ['strict'],
    ['annotation-service'],
    [''],
  ])
  for (const line of unit.split('\n')) expect(line).toMatch(/^(|#.*|\[(Unit|Service|Install)\]|[A-Z]\w+=.*)$/)
})

test('the images have a Node that the service supports', () => {
  const { engines } = JSON.parse(readFileSync('packages/service/package.json', 'utf8')) as { engines: { node: string } }
  const images = dockerfile + readFileSync('deploy/annotate.Dockerfile', 'utf8')
  const bases = [...images.matchAll(/^FROM node:(\d+)-bookworm-slim/gm)].map((match) => Number(match[1]))
  expect(bases).toHaveLength(3)
  for (const major of bases) expect(major).toBeGreaterThanOrEqual(Number.parseInt(engines.node.replace('>=', ''), 10))
})
