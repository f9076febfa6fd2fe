/**
 * Integrations: whose deployment webhooks are marked, and how. Specific to our service. A secret is only ever in the answer that
 * makes it.
 */
import {
  deliveriesPath,
  INTEGRATIONS_PATH,
  integrationPath,
  newSecretPath,
  PREVIEW_PATH,
} from '@deployment-annotations/contract/integration'
import type {
  Delivery,
  Integration,
  IntegrationChange,
  IntegrationPreview,
  IntegrationRegeneration,
  MadeIntegration,
  NewIntegration,
  PreviewResult,
} from '@deployment-annotations/contract/schemas/integration'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, parseNothing, type Reply, unexpected } from './reply.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

export interface IntegrationsClient {
  /** Not sent again where its answer is lost, because the secret would be lost with it; the list shows whether it is there. */
  create(integration: NewIntegration, options?: CallOptions): Promise<MadeIntegration>
  /** Each with its last delivery. */
  list(options?: CallOptions): Promise<Integration[]>
  get(id: string, options?: CallOptions): Promise<Integration>
  /** The last webhooks that its secret had signed, the newest first. */
  deliveries(id: string, options?: CallOptions): Promise<Delivery[]>
  /** Members that are not sent keep their values. */
  change(id: string, change: IntegrationChange, options?: CallOptions): Promise<Integration>
  /** Puts a new secret in place of the old one, at once; not sent again where its answer is lost. */
  regenerate(id: string, regeneration: IntegrationRegeneration, options?: CallOptions): Promise<MadeIntegration>
  /** How a body would be read and marked; nothing is stored. */
  preview(tried: IntegrationPreview, options?: CallOptions): Promise<PreviewResult>
  /** Its webhooks are refused from then on; the annotations that it made stay. */
  delete(id: string, options?: CallOptions): Promise<void>
}

const parseOne = oneWith<Integration>('id')
const parseMade = oneWith<MadeIntegration>('id')

export function createIntegrationsClient(connection: Connection): IntegrationsClient {
  const ask = createAsk(connection)
  return {
    create: (body, options) => ask('POST', INTEGRATIONS_PATH, { body, read: parseMade, options, isSentOnce: true }),
    list: (options) => ask('GET', INTEGRATIONS_PATH, { read: listWith<Integration>('id'), options }),
    get: (id, options) => ask('GET', integrationPath(id), { read: parseOne, options }),
    deliveries: (id, options) => ask('GET', deliveriesPath(id), { read: listWith<Delivery>('time'), options }),
    change: (id, body, options) => ask('PUT', integrationPath(id), { body, read: parseOne, options }),
    regenerate: (id, body, options) => ask('POST', newSecretPath(id), { body, read: parseMade, options, isSentOnce: true }),
    preview: (body, options) => ask('POST', PREVIEW_PATH, { body, read: parsePreview, options }),
    delete: (id, options) => ask('DELETE', integrationPath(id), { read: parseNothing, options }),
  }
}

function parsePreview(reply: Reply): PreviewResult {
  const body = parseJson(reply) as Partial<PreviewResult> | null
  if (!Array.isArray(body?.marks)) throw unexpected(reply, 'a list of marks')
  return body as PreviewResult
}
