/**
 * Webhooks of one's own, signed as Standard Webhooks says. The body of a `customWebhook` is a text with names in double braces, as the
 * hosted service takes it: `{{.Title}}` is written as the inside of a JSON text, `{{jsonObject .MatchedEvent}}` and `{{jsonArray .GroupKeys}}`
 * as JSON. Nothing else of the template language is there.
 */
import type { NotifierProperties } from '@deployment-annotations/contract/notifier'
import { signStandard } from '../standard-webhooks.ts'
import type { Message } from './message.ts'
import type { OutgoingRequest } from './send-request.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** A `webhook` is a `customWebhook` that has neither headers nor a body of its own. */
export function buildWebhook(
  { url, headers = {}, body: template = '' }: NonNullable<NotifierProperties['customWebhook']>,
  message: Message,
  secret: string,
): OutgoingRequest {
  const body = fillBody(template, message)
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return { url, headers: { ...JSON_TYPE, ...own, ...sign(message, body, secret) }, body }
}

/** What `webhook` sends: the form of Standard Webhooks, with the members that receivers of the hosted service read beside it. */
function toJson(message: Message): string {
  const { id, atMs, notice, links } = message
  const { event, action, title, text, time, annotation, monitor } = notice
  return JSON.stringify({
    type: event,
    timestamp: new Date(atMs).toISOString(),
    data: { id, action, title, text, time, links, ...(annotation && { annotation }), ...(monitor && { monitor }) },
    action: VALUES.Action?.(message),
    event: Object.fromEntries(EVENT_NAMES.map((name) => [name.charAt(0).toLowerCase() + name.slice(1), VALUES[name]?.(message)])),
  })
}

const EVENT_NAMES = ['MonitorID', 'Title', 'Body', 'Description', 'Timestamp', 'QueryStartTime', 'QueryEndTime', 'Value']

/** @returns the headers of Standard Webhooks; a receiver knows a repeat by the id */
function sign({ id, atMs }: Message, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const signature = signStandard({ id, timestamp }, body, secret)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

const PLACE = /\{\{([^{}]*)\}\}/g
const AS_JSON = /^(?:jsonObject|jsonArray)\s+/

/** Reads the text between the braces. A pattern of the whole place would try each split of the whitespace in it. */
function readPlace(inside: string): { name: string; isJson: boolean } {
  const whole = inside.trim()
  const name = whole.replace(AS_JSON, '')
  return { name, isJson: name !== whole }
}

const VALUES: Readonly<Record<string, (message: Message) => unknown>> = {
  Action: ({ notice }) => (notice.action === 'open' ? 'Open' : 'Closed'),
  Body: ({ notice }) => notice.text,
  Description: ({ notice }) => notice.monitor?.description ?? '',
  GroupKeys: () => [],
  GroupValues: ({ notice }) => (notice.monitor?.group === undefined ? [] : [notice.monitor.group]),
  MatchedEvent: () => ({}),
  MonitorID: ({ notice }) => notice.monitor?.id ?? '',
  QueryEndTime: ({ notice }) => notice.time,
  QueryStartTime: ({ notice }) => notice.time,
  Timestamp: ({ notice }) => notice.time,
  Title: ({ notice }) => notice.title,
  Value: ({ notice }) => notice.monitor?.value ?? null,
  AnnotationID: ({ notice }) => notice.annotation?.id ?? '',
  Datasets: ({ notice }) => notice.annotation?.datasets ?? [],
  EndMs: ({ notice: { time, annotation } }) => Date.parse(annotation?.endTime ?? annotation?.time ?? time),
  Event: ({ notice }) => notice.event,
  Link: ({ links }) => links[0]?.url ?? '',
  MessageID: ({ id }) => id,
  StartMs: ({ notice: { time, annotation } }) => Date.parse(annotation?.time ?? time),
}

/** @returns the first place that says nothing this service knows, as it is written; `undefined` where there is none */
export function findUnknownPlace(template: string): string | undefined {
  const places = [...template.matchAll(PLACE)]
  const wrong = places.find(([, inside = '']) => {
    const { name } = readPlace(inside)
    return !name.startsWith('.') || !Object.hasOwn(VALUES, name.slice(1))
  })
  if (wrong) return wrong[0]
  return /\{\{[^{}]*/.exec(template.replace(PLACE, ''))?.[0]
}

export const TEMPLATE_NAMES = Object.keys(VALUES)

/** @param template empty: what a `webhook` sends */
function fillBody(template: string, message: Message): string {
  if (template.trim() === '') return toJson(message)
  return template.replace(PLACE, (_, inside: string) => {
    const { name, isJson } = readPlace(inside)
    const text = JSON.stringify(VALUES[name.slice(1)]?.(message) ?? null)
    return !isJson && text.startsWith('"') ? text.slice(1, -1) : text
  })
}
