/**
 * What would become of a body, without an annotation: for people who write a mapping, or wonder why there is none.
 */
import {
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  type IntegrationPreview,
  type PreviewResult,
} from '@deployment-annotations/contract/integration'
import { platformRow } from '@deployment-annotations/contract/platform'
import { buildAnnotation } from '@deployment-annotations/edge/platforms/annotation'
import { deploymentFrom } from '@deployment-annotations/edge/platforms/deployment'
import type { WebhookContent } from '@deployment-annotations/edge/platforms/deployment-event'
import { PLATFORM_OF } from '@deployment-annotations/edge/platforms/platforms'
import { contentOf } from '../../wire/annotation.ts'
import { checkTitle, type Integration, requireMappable } from '../integrations/integration.ts'
import { routeDeployment } from './routing.ts'

/** @throws ServiceError as a delivery of this body would be refused */
export function previewDeployment(tried: IntegrationPreview, nowMs: number): PreviewResult {
  const { platform, body, headers, type, title = INTEGRATION_TITLE_DEFAULT, environments, mapping } = tried
  requireMappable(platform, tried)
  checkTitle(title)
  const integration: Integration = {
    id: 'int_preview',
    platform,
    name: platform,
    datasets: ['preview'],
    type: type ?? INTEGRATION_TYPE_DEFAULT,
    title,
    environments: [...(environments ?? platformRow(platform).environments)],
    rules: [],
    createdAt: '',
  }
  const lower = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  const request = { headers: Object.fromEntries(lower), body: Buffer.from(JSON.stringify(body)) }
  const contents = PLATFORM_OF[platform].read(request, { mapping, nowMs })
  return { marks: [contents].flat().map((content) => showMark(content, integration)) }
}

function showMark(content: WebhookContent, integration: Integration): PreviewResult['marks'][number] {
  if ('ignored' in content) return content
  const { deployment, state } = content.event
  const route = routeDeployment(content.event, integration)
  if ('ignored' in route) return { deployment, state, ...route }
  return { deployment, state, ...contentOf(buildAnnotation(deploymentFrom(content.event), integration)) }
}
