/** Slack's incoming webhooks, whose bodies others take too. Of its markup, what stands in texts is escaped. */
import type { NotifierProperties } from '@deployment-annotations/contract/notifier'
import { cutText } from '@deployment-annotations/contract/text'
import { factsOf, type Message } from './message.ts'
import type { OutgoingRequest } from './send-request.ts'

const TEXT_POINTS_MAX = 2_000

export function buildSlack({ slackUrl }: NonNullable<NotifierProperties['slack']>, message: Message): OutgoingRequest {
  const { notice, links } = message
  const facts = factsOf(notice).map(({ name, value }) => `${name}: ${escapeText(value)}`)
  const shown = links.map(({ text, url }) => `<${escapeText(url).replaceAll('|', '%7C')}|${escapeText(text)}>`)
  const sign = notice.action === 'open' ? ':red_circle:' : ':large_green_circle:'
  const lines = [
    `${sign} *${escapeText(notice.title)}*`,
    escapeText(cutText(notice.text, TEXT_POINTS_MAX)),
    facts.join(' · '),
    shown.join(' · '),
  ]
  const body = JSON.stringify({ text: lines.filter((line) => line !== '').join('\n') })
  return { url: slackUrl, headers: { 'content-type': 'application/json' }, body }
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
