/**
 * The rows of integrations, of the webhooks that they received, and of deployments.
 */
import type { Delivery, IntegrationMapping, IntegrationRule } from '@deployment-annotations/contract/integration'
import { createCodec, json, number, oneOf, optional, type RecordOf, type RowOf, text } from './row-codec.ts'

const INTEGRATION = {
  /** Begins with `int_`. It names the integration in the log and as the creator of its annotations. */
  id: text,
  platform: text,
  name: text,
  type: text,
  title: text,
  /** The only datasets that the token reaches which said where it annotates. All if absent. */
  reach: optional(json<string[]>()),
  datasets: json<string[]>(),
  /** Only deployments to these are annotated; if empty, all are. */
  environments: json<string[]>(),
  /** Where certain deployments are annotated; the first that matches counts. */
  rules: json<IntegrationRule[]>(),
  /** How other bodies than our own are read. */
  mapping: optional(json<IntegrationMapping>()),
  encryptedSecret: text,
  /** RFC 3339. */
  createdAt: text,
}
export type IntegrationRecord = RecordOf<typeof INTEGRATION>
export type IntegrationsTable = RowOf<typeof INTEGRATION>
export const INTEGRATION_CODEC = createCodec(INTEGRATION)

const DELIVERY = {
  /** Ids sort by time. */
  id: text,
  integration: text,
  atMs: number,
  outcome: oneOf<Delivery['outcome']>(),
  /** The id that the platform gave the deployment. */
  deployment: optional(text),
  annotation: optional(text),
  reason: optional(text),
}
export type DeliveryRecord = RecordOf<typeof DELIVERY>
export type DeliveriesTable = RowOf<typeof DELIVERY>
export const DELIVERY_CODEC = createCodec(DELIVERY)

const DEPLOYMENT = {
  /** The id of the integration. */
  integration: text,
  /** The id that the platform gave it. */
  deployment: text,
  /** The id of its annotation. */
  annotation: text,
  /** The known facts from its webhooks as JSON. */
  known: text,
  /** `gone`: a person deleted its annotation, which is not created again. */
  state: oneOf<'shown' | 'gone'>(),
}
export type StoredDeployment = RecordOf<typeof DEPLOYMENT>
export const DEPLOYMENT_CODEC = createCodec(DEPLOYMENT)

export interface DeploymentsTable extends RowOf<typeof DEPLOYMENT> {
  created_at_ms: bigint
}
