/** Webhooks of one's own, signed as Standard Webhooks says. */
import type { NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'
import { type Message, sign, toJson } from '../message.ts'
import type { OutgoingRequest } from '../send-request.ts'
import { fillTemplate } from '../template.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

export function buildWebhook(
  { url }: NonNullable<NotifierProperties['webhook']>,
  message: Message,
  secret: string,
): OutgoingRequest {
  const body = toJson(message)
  return { url, headers: { ...JSON_TYPE, ...sign(message, body, secret) }, body }
}

export function buildCustomWebhook(
  { url, headers = {}, body: template = '' }: NonNullable<NotifierProperties['customWebhook']>,
  message: Message,
  secret: string,
): OutgoingRequest {
  const body = fillTemplate(template, message)
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return { url, headers: { ...JSON_TYPE, ...own, ...sign(message, body, secret) }, body }
}
