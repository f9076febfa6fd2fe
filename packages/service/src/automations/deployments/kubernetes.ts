/**
 * Kubernetes: a Deployment, StatefulSet or DaemonSet as its API has it, alone or as `object` of a watch event; an Event, as
 * kubernetes-event-exporter sends it; and what kubewatch tells of a change.
 * https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status, read 2026-11.
 */
import type { DeploymentState, WebhookContent } from './deployment-event.ts'
import { decodeUtf8, imageVersion, joinId, memberAt, parseJson, textOf, timeOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { AUTHORIZATION } from './signature.ts'

const WORKLOADS = /^(?:deployment|statefulset|daemonset)$/i

export const kubernetes: Platform = {
  proofs: [AUTHORIZATION],

  read({ body }) {
    const payload = parseJson(decodeUtf8(body))
    const object = memberAt(payload, 'object') ?? payload
    if (memberAt(object, 'involvedObject') !== undefined) return readEvent(object)
    if (memberAt(payload, 'eventmeta') !== undefined) return readKubewatch(payload)
    if (WORKLOADS.test(String(memberAt(object, 'kind')))) return readWorkload(object)
    return { ignored: 'neither an event nor a Deployment' }
  },
}

/** What its condition `Progressing` says. */
const REASONS: Readonly<Record<string, DeploymentState>> = {
  NewReplicaSetCreated: 'started',
  FoundNewReplicaSet: 'started',
  ReplicaSetUpdated: 'started',
  NewReplicaSetAvailable: 'succeeded',
  ProgressDeadlineExceeded: 'failed',
}

function readWorkload(object: unknown): WebhookContent {
  const of = (...path: string[]) => memberAt(object, ...path)
  const conditions = of('status', 'conditions')
  const progressing = Array.isArray(conditions) ? conditions.find((one) => memberAt(one, 'type') === 'Progressing') : undefined
  const reason = String(memberAt(progressing, 'reason'))
  const state = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  const atNs = timeOf(memberAt(progressing, 'lastUpdateTime'), memberAt(progressing, 'lastTransitionTime'))
  if (!state || atNs === undefined) return { ignored: 'its conditions do not say how it progresses' }
  if (of('status', 'observedGeneration') !== of('metadata', 'generation')) {
    return { ignored: 'its status is that of an older generation' }
  }
  const revision = textOf(of('metadata', 'annotations', 'deployment.kubernetes.io/revision'))
  return told({
    id: [textOf(of('metadata', 'uid')) ?? '', revision ?? String(of('metadata', 'generation'))],
    // Scaling and restarts of pods end in the same condition again, later: the first end of a revision is the one that counts.
    state: { state, atNs, ...(state === 'succeeded' && { isImplied: true }) },
    message: state === 'failed' ? textOf(memberAt(progressing, 'message')) : undefined,
    name: of('metadata', 'name'),
    namespace: of('metadata', 'namespace'),
    version: imageVersion(of('spec', 'template', 'spec', 'containers', '0', 'image')) ?? (revision && `revision ${revision}`),
  })
}

const SCALED_UP = /^Scaled up replica set (?<set>\S+) (?:from (?<before>\d+) )?to \d+(?: from (?<before2>\d+))?/

function readEvent(event: unknown): WebhookContent {
  const of = (...path: string[]) => memberAt(event, ...path)
  const { set, before, before2 } = SCALED_UP.exec(String(of('message')))?.groups ?? {}
  if (set === undefined || of('reason') !== 'ScalingReplicaSet') return { ignored: 'not an event of a new replica set' }
  if (Number(before ?? before2 ?? 0) > 0) return { ignored: 'a replica set that was there before was scaled' }
  const atNs = timeOf(of('firstTimestamp'), of('eventTime'), of('lastTimestamp'), of('metadata', 'creationTimestamp'))
  if (atNs === undefined) return { ignored: 'the event has no time' }
  const image = of('involvedObject', 'labels', 'app.kubernetes.io/version')
  return told({
    id: ['replica-set', textOf(of('involvedObject', 'namespace')) ?? '', set],
    state: { state: 'succeeded', atNs, isImplied: true },
    name: of('involvedObject', 'name'),
    namespace: of('involvedObject', 'namespace'),
    version: textOf(image) ?? set.split('-').at(-1),
  })
}

function readKubewatch(payload: unknown): WebhookContent {
  const of = (name: string) => memberAt(payload, 'eventmeta', name)
  const atNs = timeOf(memberAt(payload, 'time'))
  if (!WORKLOADS.test(String(of('kind'))) || !/^(?:created|updated)$/i.test(String(of('reason')))) {
    return { ignored: 'not a workload that was created or updated' }
  }
  if (atNs === undefined) return { ignored: 'the payload has no time' }
  return told({
    id: ['kubewatch', textOf(of('namespace')) ?? '', textOf(of('name')) ?? '', String(memberAt(payload, 'time'))],
    state: { state: 'succeeded', atNs },
    name: of('name'),
    namespace: of('namespace'),
    version: textOf(of('reason')),
  })
}

interface Told {
  id: string[]
  state: { state: DeploymentState; atNs: bigint; isImplied?: boolean }
  message?: string | undefined
  name: unknown
  namespace: unknown
  version: string | undefined
}

/** The namespace is the environment. */
function told({ id, state, message, name, namespace, version }: Told): WebhookContent {
  const environment = textOf(namespace)
  return {
    event: {
      deployment: joinId(...id),
      ...state,
      ...(message !== undefined && { message }),
      facts: { project: textOf(name), environment, version },
      environments: [environment ?? ''],
    },
  }
}
