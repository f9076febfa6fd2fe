/**
 * The request by which each kind of notifier is told; email alone is none (email.ts).
 */
import type { NotifierKind, NotifierProperties } from '@deployment-annotations/contract/notifier'
import type { Message } from './message.ts'
import type { OutgoingRequest } from './send-request.ts'
import { buildSlack } from './slack.ts'
import { fillTemplate, type TemplateKind } from './templates.ts'
import { buildWebhook } from './webhook.ts'

type RequestKind = Exclude<NotifierKind, 'email'>

/** @param properties of the notifier: those of its kind @param secret of a signed kind */
export function buildRequest(
  kind: RequestKind,
  properties: NotifierProperties,
  message: Message,
  secret: string,
): OutgoingRequest {
  const { slack, webhook, customWebhook = webhook, [kind]: own } = properties
  if (slack) return buildSlack(slack, message)
  if (customWebhook) return buildWebhook(customWebhook, message, secret)
  return fillTemplate(kind as TemplateKind, own as NonNullable<NotifierProperties[TemplateKind]>, message)
}
