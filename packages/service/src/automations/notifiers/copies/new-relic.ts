/**
 * Change tracking of New Relic, which keeps a deployment as it was sent: it cannot be changed or deleted.
 * Source: https://docs.newrelic.com/docs/change-tracking/change-tracking-graphql/.
 */
import { DeliveryError, hide } from '../send-request.ts'
import { addressOf, type CopyNotifier, type CopyNotifierProperties, JSON_TYPE, readJson } from './copy.ts'

const MUTATION = `mutation ($deployment: ChangeTrackingDeploymentInput!) {
  changeTrackingCreateDeployment(deployment: $deployment) { deploymentId }
}`
/** What a deployment must have. */
const NO_VERSION = 'unknown'

interface Answer {
  data: { changeTrackingCreateDeployment?: { deploymentId?: string } | null } | null
  errors: { message?: string }[]
}

export const NEW_RELIC: CopyNotifier<CopyNotifierProperties<'newRelic'>> = {
  async create({ title, text, startMs, version, url, tags }, { apiKey, entityGuid, url: address }, send) {
    const deployment = {
      entityGuid,
      version: version ?? NO_VERSION,
      description: [title, text].filter((part) => part !== '').join('\n\n'),
      timestamp: startMs,
      groupId: tags[0],
      ...(url !== undefined && { deepLink: url }),
    }
    const body = JSON.stringify({ query: MUTATION, variables: { deployment } })
    const endpoint = addressOf(address, 'https://api.newrelic.com', '/graphql')
    const reply = readJson<Answer>(await send({ url: endpoint, headers: { ...JSON_TYPE, 'api-key': apiKey }, body }))
    const made = reply.data?.changeTrackingCreateDeployment?.deploymentId
    if (made !== undefined) return made
    // What is refused is answered with 200, too.
    const why = reply.errors?.map(({ message }) => message).join('; ') ?? 'its answer has no deploymentId'
    throw new DeliveryError(`New Relic made no deployment: ${hide(why, [apiKey])}`.slice(0, 300), { isPassing: false })
  },
}
