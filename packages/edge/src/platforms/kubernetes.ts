/**
 * Kubernetes: a Deployment, StatefulSet or DaemonSet as its API has it, alone or as `object` of a watch event; an Event, as
 * kubernetes-event-exporter sends it; and what kubewatch tells of a change. The namespace is the environment.
 * https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status, read 2026-11.
 */
import { presetPlatform } from './preset.ts'
import { AUTHORIZATION } from './signature.ts'

export const kubernetes = presetPlatform({
  proofs: [AUTHORIZATION],
  envelope: 'object',
  otherwise: 'neither a workload nor an event of a new replica set',
  kinds: [
    {
      when: "{kind~'Deployment'|kind~'StatefulSet'|kind~'DaemonSet'}",
      same: '{status.observedGeneration}',
      as: '{metadata.generation}',
      otherwise: 'its status is that of an older generation',
      deployment: '{metadata.uid}/{metadata.annotations["deployment.kubernetes.io/revision"]|metadata.generation}',
      state: '{status.conditions[type=Progressing].reason}',
      states: {
        NewReplicaSetCreated: 'started',
        FoundNewReplicaSet: 'started',
        ReplicaSetUpdated: 'started',
        NewReplicaSetAvailable: 'succeeded',
        ProgressDeadlineExceeded: 'failed',
      },
      // Scaling and restarts of pods end in the same condition again, later: the first end of a revision is the one that counts.
      isSuccessRepeated: true,
      time: '{status.conditions[type=Progressing].lastUpdateTime|status.conditions[type=Progressing].lastTransitionTime}',
      failure: '{status.conditions[type=Progressing].message}',
      project: '{metadata.name}',
      environment: '{metadata.namespace}',
      version: '{spec.template.spec.containers[0].image~version}',
      versionElse: 'revision {metadata.annotations["deployment.kubernetes.io/revision"]}',
    },
    {
      when: "{reason~'ScalingReplicaSet'}{message~'Scaled up replica set *'}",
      same: "{message~'* from (*) to *'|message~'* to * from (*)'|'0'}",
      as: '0',
      otherwise: 'a replica set that was there before was scaled',
      deployment:
        "replica-set/{involvedObject.namespace}/{message~'Scaled up replica set (*) from * to *'|message~'Scaled up replica set (*) to *'}",
      isSuccessRepeated: true,
      time: '{firstTimestamp|eventTime|lastTimestamp|metadata.creationTimestamp}',
      project: '{involvedObject.name}',
      environment: '{involvedObject.namespace}',
      version:
        "{involvedObject.labels[\"app.kubernetes.io/version\"]|message~'Scaled up *-(*) from * to *'|message~'Scaled up *-(*) to *'}",
    },
    {
      when: "{eventmeta.kind~'Deployment'|eventmeta.kind~'StatefulSet'|eventmeta.kind~'DaemonSet'}",
      deployment: 'kubewatch/{eventmeta.namespace}/{eventmeta.name}/{time}',
      state: '{eventmeta.reason}',
      states: { Created: 'succeeded', Updated: 'succeeded' },
      time: '{time}',
      project: '{eventmeta.name}',
      environment: '{eventmeta.namespace}',
      version: '{eventmeta.reason}',
    },
  ],
})
