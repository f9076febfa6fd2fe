/** A webhook of a Teams workflow ("When a Teams webhook request is received"), which takes an Adaptive Card. */
import type { NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'
import { cutText } from '@deployment-annotations/contract/text'
import { factsOf, type Message } from '../message.ts'
import type { OutgoingRequest } from '../send-request.ts'

const TEXT_POINTS_MAX = 4_000

export function buildTeams(
  { microsoftTeamsUrl }: NonNullable<NotifierProperties['microsoftTeams']>,
  { notice, links }: Message,
): OutgoingRequest {
  const color = notice.action === 'open' ? 'attention' : 'good'
  const text = cutText(notice.text, TEXT_POINTS_MAX)
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: notice.title, weight: 'bolder', size: 'medium', color, wrap: true },
      ...(text === '' ? [] : [{ type: 'TextBlock', text, wrap: true }]),
      { type: 'FactSet', facts: factsOf(notice).map(([title, value]) => ({ title, value })) },
    ],
    actions: links.map(({ text: title, url }) => ({ type: 'Action.OpenUrl', title, url })),
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  const body = JSON.stringify({ type: 'message', attachments: [attachment] })
  return { url: microsoftTeamsUrl, headers: { 'content-type': 'application/json' }, body }
}
