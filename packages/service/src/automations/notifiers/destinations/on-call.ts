/** Services that wake people: an incident is opened, and closed by the same key, so that a repeat opens no second one. */
import type { NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'
import { cutText } from '@deployment-annotations/contract/text'
import { factsOf, type Message } from '../message.ts'
import type { OutgoingRequest } from '../send-request.ts'

const keyOf = ({ id, notice: { event, annotation } }: Message) => (annotation ? `${event}/${annotation.id}` : id)

/** Events API v2. */
export function buildPagerDuty({ routingKey }: NonNullable<NotifierProperties['pagerduty']>, message: Message): OutgoingRequest {
  const { notice, links } = message
  const body = JSON.stringify({
    routing_key: routingKey,
    event_action: notice.action === 'open' ? 'trigger' : 'resolve',
    dedup_key: keyOf(message),
    links: links.map(({ text, url }) => ({ href: url, text })),
    payload: {
      summary: cutText(notice.title, 1_024),
      source: notice.annotation?.datasets.join(', ') || 'annotation-service',
      severity: 'error',
      timestamp: notice.time,
      custom_details: { text: notice.text, ...Object.fromEntries(factsOf(notice)) },
    },
  })
  return { url: 'https://events.pagerduty.com/v2/enqueue', headers: { 'content-type': 'application/json' }, body }
}

export function buildOpsgenie({ apiKey, isEU }: NonNullable<NotifierProperties['opsgenie']>, message: Message): OutgoingRequest {
  const { notice } = message
  const alias = keyOf(message)
  const base = `https://api.${isEU ? 'eu.' : ''}opsgenie.com/v2/alerts`
  const headers = { 'content-type': 'application/json', authorization: `GenieKey ${apiKey}` }
  if (notice.action === 'closed') {
    const body = JSON.stringify({ note: cutText(notice.title, 25_000) })
    return { url: `${base}/${encodeURIComponent(alias)}/close?identifierType=alias`, headers, body }
  }
  const details = Object.fromEntries(factsOf(notice))
  const texts = { message: cutText(notice.title, 130), description: cutText(notice.text, 15_000) }
  return { url: base, headers, body: JSON.stringify({ ...texts, alias, details, source: 'annotation-service' }) }
}
