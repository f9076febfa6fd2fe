/**
 * The body of a `customWebhook`: a text with names in double braces, as the hosted service takes it. `{{.Title}}` is written as the inside
 * of a JSON text, `{{jsonObject .MatchedEvent}}` and `{{jsonArray .GroupKeys}}` as JSON. Nothing else of the template language is there.
 */
import { type Message, toJson } from './message.ts'

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

/** @param template empty: what `webhook` sends */
export function fillTemplate(template: string, message: Message): string {
  if (template.trim() === '') return toJson(message)
  return template.replace(PLACE, (_, inside: string) => {
    const { name, isJson } = readPlace(inside)
    const text = JSON.stringify(VALUES[name.slice(1)]?.(message) ?? null)
    return !isJson && text.startsWith('"') ? text.slice(1, -1) : text
  })
}
