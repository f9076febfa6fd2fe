/**
 * Azure DevOps: service hooks of releases (deployment started and completed) and of stages of pipelines in YAML.
 * https://learn.microsoft.com/azure/devops/service-hooks/events, read 2026-11.
 */
import { presetPlatform } from './preset.ts'
import { AUTHORIZATION } from './signature.ts'

export const azureDevOps = presetPlatform({
  proofs: [AUTHORIZATION],
  otherwise: 'not about the start or end of a deployment',
  kinds: [
    {
      when: "{eventType~'ms.vss-release.deployment-*ed-event'}",
      // The documented example of a completed deployment has a `releaseId` of 0 beside the release that it is of.
      deployment:
        '{resource.release.id|resource.environment.release.id|resource.environment.releaseId}/{resource.environment.id}',
      state: "{eventType~'*-started-event'|resource.environment.status}",
      states: { 'ms.vss-release.deployment-started-event': 'started' },
      time: '{createdDate}',
      project: '{resource.project.name|resource.release.releaseDefinition.name}',
      environment: '{resource.environment.name}',
      version: '{resource.release.name|resource.environment.release.name}',
      by: '{resource.deployment.requestedFor.displayName|resource.release.createdBy.displayName|resource.environment.owner.displayName}',
      url: '{resource.release._links.web.href|resource.environment.release._links.web.href}',
    },
    {
      when: "{eventType~'ms.vss-pipelines.stage-state-changed-event'}",
      deployment: 'run/{resource.run.id}/{resource.stage.id|resource.stage.name}',
      state: "{resource.stage.result|resource.stage.state~'running'}",
      time: '{createdDate}',
      project: '{resource.pipeline.name|resource.run.pipeline.name}',
      environment: '{resource.stage.displayName|resource.stage.name}',
      alias: '{resource.stage.name}',
      version: '{resource.run.name}',
      url: '{resource.stage._links.web.href|resource.run._links.web.href}',
    },
  ],
})
