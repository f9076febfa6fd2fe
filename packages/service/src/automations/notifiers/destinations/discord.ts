/** Discord, by a webhook of a channel or by a bot. Nobody is mentioned, whatever a text says. */
import type { NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'
import { cutText } from '@deployment-annotations/contract/text'
import { factsOf, type Message } from '../message.ts'
import type { OutgoingRequest } from '../send-request.ts'

const RED = 0xd1242f
const GREEN = 0x1a7f37

export function buildDiscordWebhook(
  { discordWebhookUrl: url }: NonNullable<NotifierProperties['discordWebhook']>,
  message: Message,
): OutgoingRequest {
  return { url, headers: { 'content-type': 'application/json' }, body: toEmbed(message) }
}

export function buildDiscord(
  { discordChannel, discordToken }: NonNullable<NotifierProperties['discord']>,
  message: Message,
): OutgoingRequest {
  return {
    url: `https://discord.com/api/v10/channels/${discordChannel}/messages`,
    headers: { 'content-type': 'application/json', authorization: `Bot ${discordToken}` },
    body: toEmbed(message),
  }
}

function toEmbed({ id, notice, links }: Message): string {
  const embed = {
    title: cutText(notice.title, 256),
    description: cutText([notice.text, ...links.map(({ text, url }) => `[${text}](${url})`)].filter(Boolean).join('\n'), 4_000),
    color: notice.action === 'open' ? RED : GREEN,
    fields: factsOf(notice).map(([name, value]) => ({ name, value: cutText(value, 1_000), inline: true })),
  }
  // Within a few minutes Discord takes one message with a nonce only.
  return JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] }, nonce: id.slice(-25), enforce_nonce: true })
}
