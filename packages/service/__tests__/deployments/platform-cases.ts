/**
 * What platforms send, and what has to be shown of it: a case each, in the shape of the platform's documentation with invented values.
 */
import type { PlatformName } from '@deployment-annotations/contract/platform'
import type { PreviewResult } from '@deployment-annotations/contract/schemas/integration'

interface PlatformCase {
  platform: PlatformName
  name: string
  body: unknown
  headers?: Record<string, string>
  /** What is shown; of a batch of each event. */
  marks: PreviewResult['marks']
}

const GITLAB = {
  object_kind: 'deployment',
  status: 'success',
  status_changed_at: '2026-03-01 14:10:00 +0200',
  deployment_id: 15,
  deployable_id: 796,
  deployable_url: 'https://gitlab.example/acme/shop/-/jobs/796',
  environment: 'staging',
  environment_tier: 'staging',
  environment_slug: 'staging',
  environment_external_url: 'https://staging.shop.example',
  project: { id: 30, name: 'Shop', web_url: 'https://gitlab.example/acme/shop', path_with_namespace: 'acme/shop' },
  short_sha: '279484c0',
  user: { id: 1, name: 'Ada', username: 'ada', email: 'ada@example.org' },
  commit_url: 'https://gitlab.example/acme/shop/-/commit/279484c09fbe69ededfced8c1bb6e6d24616b468',
  commit_title: 'Show prices with tax',
  ref: 'v1.4.0',
}

const BITBUCKET = {
  actor: { type: 'user', nickname: 'ada', display_name: 'Ada L.' },
  repository: { type: 'repository', full_name: 'acme/shop', name: 'shop' },
  commit_status: {
    name: 'Deployment to production',
    description: 'exit 1',
    state: 'FAILED',
    key: 'deploy-production',
    url: 'https://bitbucket.org/acme/shop/pipelines/results/12',
    type: 'build',
    refname: 'main',
    created_on: '2026-03-01T12:00:00.123456+00:00',
    updated_on: '2026-03-01T12:03:00.123456+00:00',
    links: {
      commit: { href: 'https://api.bitbucket.org/2.0/repositories/acme/shop/commit/9fec847784abb10b2fa567ee63b85bd238955d0e' },
    },
  },
}

const ARGO = {
  url: 'https://argo.example/applications/shop',
  app: {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd', labels: { env: 'production' } },
    spec: {
      destination: { namespace: 'shop', server: 'https://kubernetes.default.svc' },
      source: { repoURL: 'https://git.example/shop', path: 'deploy', targetRevision: 'main' },
    },
    status: {
      sync: { status: 'Synced', revision: '0123456789abcdef0123456789abcdef01234567' },
      health: { status: 'Healthy' },
      summary: { images: ['registry.example:5000/acme/shop:1.4.0'], externalURLs: ['https://shop.example'] },
      operationState: {
        phase: 'Succeeded',
        message: 'successfully synced (all tasks run)',
        startedAt: '2026-03-01T12:00:00Z',
        finishedAt: '2026-03-01T12:00:42Z',
        operation: { initiatedBy: { username: 'ada' }, sync: { revision: '0123456789abcdef0123456789abcdef01234567' } },
        syncResult: { revision: '0123456789abcdef0123456789abcdef01234567' },
      },
    },
  },
}

const JENKINS = {
  name: 'deploy-shop',
  display_name: 'deploy-shop',
  url: 'job/deploy-shop/',
  build: {
    full_url: 'https://ci.example/job/deploy-shop/18/',
    number: 18,
    queue_id: 4,
    timestamp: Date.parse('2026-03-01T12:00:00Z'),
    duration: 90_000,
    phase: 'COMPLETED',
    status: 'FAILURE',
    url: 'job/deploy-shop/18/',
    scm: { url: 'https://git.example/shop.git', branch: 'origin/main', commit: 'c6d86dc654b12425e706bcf951adfe5a8627a517' },
    parameters: { ENVIRONMENT: 'production', VERSION: '1.4.0' },
    artifacts: {},
  },
}

const AZURE = {
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  notificationId: 1,
  id: '6a3f4e3c-0000-4000-8000-000000000001',
  eventType: 'ms.vss-release.deployment-completed-event',
  publisherId: 'rm',
  message: { text: 'Deployment of release Release-1 on stage Production succeeded.' },
  resource: {
    environment: { id: 5, releaseId: 1, name: 'Production', status: 'succeeded', owner: { displayName: 'Ada' } },
    release: {
      id: 1,
      name: 'Release-1',
      releaseDefinition: { id: 1, name: 'Shop.CD' },
      _links: { web: { href: 'https://dev.azure.example/acme/shop/_release?releaseId=1' } },
    },
    project: { id: '00000000-0000-0000-0000-000000000002', name: 'shop' },
  },
  createdDate: '2026-03-01T12:05:00.5552929Z',
}

const WORKLOAD = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: {
    name: 'shop',
    namespace: 'production',
    uid: '1b4e28ba-2fa1-11d2-883f-0016d3cca427',
    generation: 4,
    annotations: { 'deployment.kubernetes.io/revision': '4' },
  },
  spec: { replicas: 3, template: { spec: { containers: [{ name: 'shop', image: 'registry.example/shop:1.4.0' }] } } },
  status: {
    observedGeneration: 4,
    conditions: [
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', lastUpdateTime: '2026-03-01T11:00:00Z' },
      {
        type: 'Progressing',
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        message: 'ReplicaSet "shop-5d4f8" has timed out progressing.',
        lastUpdateTime: '2026-03-01T12:10:00Z',
      },
    ],
  },
}

const KUBERNETES_EVENT = {
  metadata: { name: 'shop.17a', namespace: 'production' },
  reason: 'ScalingReplicaSet',
  message: 'Scaled up replica set shop-5d4f8c7b to 1',
  firstTimestamp: '2026-03-01T12:00:00Z',
  lastTimestamp: '2026-03-01T12:00:00Z',
  count: 1,
  type: 'Normal',
  involvedObject: { kind: 'Deployment', namespace: 'production', name: 'shop', labels: {} },
}

/** @returns a CDEvent of version 0.4 */
export const cdEvent = (type: string, content: object, subject: object = {}, context: object = {}) => ({
  context: {
    version: '0.4.1',
    id: '271069a8-fc18-44f1-b38f-9d70a1695819',
    source: '/pipelines/shop',
    type: `dev.cdevents.${type}`,
    timestamp: '2026-03-01T12:00:00.123Z',
    ...context,
  },
  subject: { id: 'shop', source: '/pipelines/shop', type: 'service', content, ...subject },
})

const DEPLOYED = cdEvent('service.deployed.0.1.1', {
  environment: { id: 'production', source: '/clusters' },
  artifactId: 'pkg:oci/shop@sha256%3A0b31b1c02ff458ad9b7b81cbdf8f028bd54699fa151f221d1e8de6817db93427?tag=1.4.0',
})
const envelope = (data: { context: { type: string; id: string; source: string } }) => ({
  specversion: '1.0',
  type: data.context.type,
  source: data.context.source,
  id: data.context.id,
  datacontenttype: 'application/json',
  data,
})
const ROLLED_BACK = cdEvent('service.rolledback.0.1.1', {
  environment: { id: 'production' },
  artifactId: 'pkg:golang/shop@v1.3.9',
})
const REMOVED = cdEvent('service.removed.0.1.1', { environment: { id: 'production' } })
const INCIDENT = cdEvent(
  'incident.detected.0.1.0',
  { description: 'Payments fail', environment: { id: 'production' }, service: { id: 'shop' } },
  { id: 'incident-7', type: 'incident' },
)

const span = (start: string, end: string) => ({ time: `2026-03-01T${start}Z`, endTime: `2026-03-01T${end}Z` })
const moment = (time: string) => span(time, time)

export const CASES: PlatformCase[] = [
  {
    platform: 'gitlab',
    name: 'a deployment that succeeded, with a time as Ruby writes it',
    body: GITLAB,
    marks: [
      {
        deployment: '15',
        state: 'succeeded',
        ...moment('12:10:00'),
        title: 'acme/shop staging v1.4.0',
        description:
          'Succeeded\n\nEnvironment `staging`, branch `v1.4.0`, commit `279484c0`, by `ada`\n\nChange: Show prices with tax',
        type: 'deploy',
        url: 'https://gitlab.example/acme/shop/-/jobs/796',
      },
    ],
  },
  {
    platform: 'gitlab',
    name: 'a release',
    body: {
      object_kind: 'release',
      id: 1,
      created_at: '2026-03-01 12:55:12 UTC',
      released_at: '2026-03-01 12:55:12 UTC',
      name: 'Spring',
      tag: 'v1.4.0',
      project: GITLAB.project,
      url: 'https://gitlab.example/acme/shop/-/releases/v1.4.0',
      action: 'create',
      commit: { id: 'ee0a3fb31ac16e11b9dbb596ad16d4af654d08f8', author: { name: 'Ada' } },
    },
    marks: [
      {
        deployment: 'release/1',
        state: 'succeeded',
        ...moment('12:55:12'),
        title: 'acme/shop v1.4.0 released',
        description: 'Released\n\nCommit `ee0a3fb`, by `Ada`\n\nChange: Spring',
        type: 'release',
        url: 'https://gitlab.example/acme/shop/-/releases/v1.4.0',
      },
    ],
  },
  {
    platform: 'gitlab',
    name: 'a pipeline',
    body: { object_kind: 'pipeline', object_attributes: { id: 31, status: 'success' } },
    marks: [{ ignored: 'a pipeline, whose deployments have events of their own' }],
  },
  {
    platform: 'bitbucket',
    name: 'a build status of a deployment that failed',
    headers: { 'x-event-key': 'repo:commit_status_updated' },
    body: BITBUCKET,
    marks: [
      {
        deployment: expect64(),
        state: 'failed',
        ...span('12:00:00.123456', '12:03:00.123456'),
        title: 'acme/shop production 9fec847 failed',
        description:
          'Failed after 3 min: exit 1\n\nEnvironment `production`, branch `main`, commit `9fec847`, by `ada`\n\nChange: Deployment to production',
        type: 'deploy',
        url: 'https://bitbucket.org/acme/shop/pipelines/results/12',
      },
    ],
  },
  {
    platform: 'bitbucket',
    name: 'a build status of tests',
    headers: { 'x-event-key': 'repo:commit_status_created' },
    body: { ...BITBUCKET, commit_status: { ...BITBUCKET.commit_status, key: 'unit-tests' } },
    marks: [{ ignored: 'the build status unit-tests is not that of a deployment: its key must be deploy- and an environment' }],
  },
  {
    platform: 'argo-cd',
    name: 'a sync from its start to its end',
    body: ARGO,
    marks: [
      {
        deployment: 'argocd/shop/2026-03-01T12:00:00Z',
        state: 'succeeded',
        ...span('12:00:00', '12:00:42'),
        title: 'shop production 1.4.0',
        description: 'Succeeded after 42 s\n\nEnvironment `production`, branch `main`, commit `0123456`, by `ada`',
        type: 'deploy',
        url: 'https://argo.example/applications/shop',
      },
    ],
  },
  {
    platform: 'jenkins',
    name: 'a build that failed',
    body: JENKINS,
    marks: [
      {
        deployment: expect64(),
        state: 'failed',
        ...span('12:00:00', '12:01:30'),
        title: 'deploy-shop production 1.4.0 failed',
        description: 'Failed after 1 min 30 s\n\nEnvironment `production`, branch `origin/main`, commit `c6d86dc`',
        type: 'deploy',
        url: 'https://ci.example/job/deploy-shop/18/',
      },
    ],
  },
  {
    platform: 'azure-devops',
    name: 'a deployment of a release that completed',
    body: AZURE,
    marks: [
      {
        deployment: '1/5',
        state: 'succeeded',
        ...moment('12:05:00.5552929'),
        title: 'shop Production Release-1',
        description: 'Succeeded\n\nEnvironment `Production`, by `Ada`',
        type: 'deploy',
        url: 'https://dev.azure.example/acme/shop/_release?releaseId=1',
      },
    ],
  },
  {
    platform: 'azure-devops',
    name: 'the same with the release in the environment alone, as in the documented example',
    body: {
      ...AZURE,
      resource: {
        environment: { ...AZURE.resource.environment, releaseId: 0, release: { id: 1, name: 'Release-1' } },
        project: AZURE.resource.project,
      },
    },
    marks: [
      {
        deployment: '1/5',
        state: 'succeeded',
        ...moment('12:05:00.5552929'),
        title: 'shop Production Release-1',
        description: 'Succeeded\n\nEnvironment `Production`, by `Ada`',
        type: 'deploy',
      },
    ],
  },
  {
    platform: 'azure-devops',
    name: 'a stage of a pipeline that was canceled',
    body: {
      eventType: 'ms.vss-pipelines.stage-state-changed-event',
      createdDate: '2026-03-01T12:06:00Z',
      resource: {
        stage: { id: 's1', name: 'deploy_prod', displayName: 'Production', state: 'completed', result: 'canceled' },
        run: { id: 77, name: '20260301.1', pipeline: { id: 3, name: 'shop' } },
        pipeline: { id: 3, name: 'shop' },
      },
    },
    marks: [
      {
        deployment: 'run/77/s1',
        state: 'canceled',
        ...moment('12:06:00'),
        title: 'shop Production 20260301.1 canceled',
        description: 'Canceled\n\nEnvironment `Production`',
        type: 'deploy',
      },
    ],
  },
  {
    platform: 'kubernetes',
    name: 'a Deployment that does not progress',
    body: WORKLOAD,
    marks: [
      {
        deployment: '1b4e28ba-2fa1-11d2-883f-0016d3cca427/4',
        state: 'failed',
        ...moment('12:10:00'),
        title: 'shop production 1.4.0 failed',
        description: 'Failed: ReplicaSet "shop-5d4f8" has timed out progressing.\n\nEnvironment `production`',
        type: 'deploy',
      },
    ],
  },
  {
    platform: 'kubernetes',
    name: 'a watch event whose status is older than its specification',
    body: { type: 'MODIFIED', object: { ...WORKLOAD, metadata: { ...WORKLOAD.metadata, generation: 5 } } },
    marks: [{ ignored: 'its status is that of an older generation' }],
  },
  {
    platform: 'kubernetes',
    name: 'an event of a new replica set',
    body: KUBERNETES_EVENT,
    marks: [
      {
        deployment: 'replica-set/production/shop-5d4f8c7b',
        state: 'succeeded',
        ...moment('12:00:00'),
        title: 'shop production 5d4f8c7b',
        description: 'Succeeded\n\nEnvironment `production`',
        type: 'deploy',
      },
    ],
  },
  {
    platform: 'kubernetes',
    name: 'an event of an autoscaler',
    body: { ...KUBERNETES_EVENT, message: 'Scaled up replica set shop-5d4f8c7b from 3 to 5' },
    marks: [{ ignored: 'a replica set that was there before was scaled' }],
  },
  {
    platform: 'kubernetes',
    name: 'kubewatch’s update of a workload',
    body: {
      eventmeta: { kind: 'Deployment', name: 'shop', namespace: 'production', reason: 'Updated' },
      text: 'A `Deployment` in namespace `production` has been `Updated`: `shop`',
      time: '2026-03-01T12:00:00Z',
    },
    marks: [
      {
        deployment: 'kubewatch/production/shop/2026-03-01T12:00:00Z',
        state: 'succeeded',
        ...moment('12:00:00'),
        title: 'shop production Updated',
        description: 'Succeeded\n\nEnvironment `production`',
        type: 'deploy',
      },
    ],
  },
  {
    platform: 'cdevents',
    name: 'binary: a service was deployed',
    headers: { 'content-type': 'application/json', 'ce-specversion': '1.0', 'ce-type': 'dev.cdevents.service.deployed.0.1.1' },
    body: DEPLOYED,
    marks: [
      {
        deployment: expect64(),
        state: 'succeeded',
        ...moment('12:00:00.123'),
        title: 'shop production 1.4.0',
        description: 'Succeeded\n\nEnvironment `production`',
        type: 'deploy',
      },
    ],
  },
  {
    platform: 'cdevents',
    name: 'structured: an incident was detected',
    headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
    body: envelope(INCIDENT),
    marks: [
      {
        deployment: expect64(),
        state: 'started',
        time: '2026-03-01T12:00:00.123Z',
        title: 'Payments fail',
        description: 'Ongoing\n\nEnvironment `production`',
        type: 'incident',
      },
    ],
  },
  {
    platform: 'cdevents',
    name: 'batch: rolled back, removed, an environment that was deleted, and a pipeline',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: [
      envelope(ROLLED_BACK),
      { ...envelope(REMOVED), data: undefined, data_base64: Buffer.from(JSON.stringify(REMOVED)).toString('base64') },
      envelope(cdEvent('environment.deleted.0.1.1', { name: 'staging-2' }, { id: 'env-2', type: 'environment' })),
      envelope(cdEvent('pipelinerun.started.0.1.1', {})),
    ],
    marks: [
      {
        deployment: expect64(),
        state: 'succeeded',
        ...moment('12:00:00.123'),
        title: 'shop production v1.3.9 rolled back',
        description: 'Succeeded\n\nEnvironment `production`',
        type: 'deploy',
      },
      {
        deployment: expect64(),
        state: 'succeeded',
        ...moment('12:00:00.123'),
        title: 'shop production removed',
        description: 'Succeeded\n\nEnvironment `production`',
        type: 'deploy',
      },
      {
        deployment: expect64(),
        state: 'succeeded',
        ...moment('12:00:00.123'),
        title: 'staging-2 deleted',
        description: 'Deleted\n\nEnvironment `staging-2`',
        type: 'environment',
      },
      { ignored: 'not a CDEvent about a service, an environment or an incident' },
    ],
  },
]

/** An id that is made of several parts, which may have slashes. */
function expect64(): string {
  return '#'
}
