/**
 * On which charts a deployment appears: by the first of the integration's rules that matches its repository and environment, or as the
 * integration says. Pure.
 */

import type { DeploymentEvent } from '@deployment-annotations/edge/platforms/deployment-event'
import { matchGlob } from '@deployment-annotations/edge/platforms/glob'
import type { Integration } from '../integrations/integration.ts'

/** The integration as it is for one deployment, or why it gets no annotation. */
type Route = { integration: Integration } | { ignored: string }

export function routeDeployment(event: DeploymentEvent, integration: Integration): Route {
  const { facts, environments } = event
  const rule = integration.rules.find(
    ({ projects = [], environments: wanted = [] }) =>
      matchesOne(projects, [facts.project ?? '']) && matchesOne(wanted, environments),
  )
  // A rule that names environments says which deployments it wants; for any other the integration does.
  if (!rule?.environments?.length && !isWanted(environments, integration.environments)) {
    return { ignored: 'by the settings of the integration, deployments to this environment get no annotations' }
  }
  if (!rule) return { integration }
  if (rule.datasets.length === 0) return { ignored: 'by a rule of the integration, these deployments get no annotations' }
  return { integration: { ...integration, datasets: rule.datasets, type: rule.type ?? integration.type } }
}

function isWanted(environments: readonly string[], wanted: readonly string[]): boolean {
  const names = environments.map((name) => name.toLowerCase())
  return wanted.length === 0 || wanted.some((name) => names.includes(name.toLowerCase()))
}

/** @returns whether one of the names is as one of the patterns says, whatever their case; no pattern stands for any name */
function matchesOne(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => names.some((name) => matchGlob(pattern, name)))
}
