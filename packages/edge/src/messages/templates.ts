/**
 * The forms of receivers that are told by one request each, as data: an address, headers and a body in JSON, with places for what a message
 * says. Services that wake people open an incident, and close it by the same key, so that a repeat opens no second one.
 */
import type { NotifierKind, NotifierProperties } from '@deployment-annotations/contract/notifier'
import { cutText } from '@deployment-annotations/contract/text'
import { factsOf, type Message } from './message.ts'
import type { OutgoingRequest } from './send-request.ts'

export type TemplateKind = Extract<NotifierKind, 'microsoftTeams' | 'discord' | 'discordWebhook' | 'pagerduty' | 'opsgenie'>

/**
 * A text has its places in braces: `{title}` is that word of the message, or a property of the notifier, and `{title:256}` no more of it than
 * so many characters. A text that is one place is the word as it is, which may be a list.
 */
type Template = string | number | boolean | null | readonly Template[] | { readonly [member: string]: Template } | Each | ByAction

/** For each of a list, in which it stands; each one's members are words too. */
interface Each {
  readonly each: 'facts' | 'links' | 'texts'
  readonly as: Template
}

/** One of the two, by what the message says. */
interface ByAction {
  readonly open: Template
  readonly closed: Template
}

interface RequestTemplate {
  /** What stands in a place within it is escaped. */
  readonly url: Template
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Template
}

const DISCORD_BODY: Template = {
  embeds: [
    {
      title: '{title:256}',
      description: '{textAndLinks:4000}',
      color: { open: 0xd1242f, closed: 0x1a7f37 },
      fields: [{ each: 'facts', as: { name: '{name}', value: '{value:1000}', inline: true } }],
    },
  ],
  // Nobody is mentioned, whatever a text says; and within a few minutes Discord takes one message with a nonce only.
  allowed_mentions: { parse: [] },
  nonce: '{nonce}',
  enforce_nonce: true,
}

const OPSGENIE_ALERTS = 'https://api.{region}opsgenie.com/v2/alerts'

const TEMPLATES: Readonly<Record<TemplateKind, RequestTemplate>> = {
  /** A webhook of a Teams workflow ("When a Teams webhook request is received"), which takes an Adaptive Card. */
  microsoftTeams: {
    url: '{microsoftTeamsUrl}',
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              {
                type: 'TextBlock',
                text: '{title}',
                weight: 'bolder',
                size: 'medium',
                color: { open: 'attention', closed: 'good' },
                wrap: true,
              },
              { each: 'texts', as: { type: 'TextBlock', text: '{text:4000}', wrap: true } },
              { type: 'FactSet', facts: [{ each: 'facts', as: { title: '{name}', value: '{value}' } }] },
            ],
            actions: [{ each: 'links', as: { type: 'Action.OpenUrl', title: '{text}', url: '{url}' } }],
          },
        },
      ],
    },
  },
  discordWebhook: { url: '{discordWebhookUrl}', body: DISCORD_BODY },
  discord: {
    url: 'https://discord.com/api/v10/channels/{discordChannel}/messages',
    headers: { authorization: 'Bot {discordToken}' },
    body: DISCORD_BODY,
  },
  /** Events API v2. */
  pagerduty: {
    url: 'https://events.pagerduty.com/v2/enqueue',
    body: {
      routing_key: '{routingKey}',
      event_action: { open: 'trigger', closed: 'resolve' },
      dedup_key: '{key}',
      links: [{ each: 'links', as: { href: '{url}', text: '{text}' } }],
      payload: {
        summary: '{title:1024}',
        source: '{source}',
        severity: 'error',
        timestamp: '{time}',
        custom_details: '{textAndDetails}',
      },
    },
  },
  opsgenie: {
    url: { open: OPSGENIE_ALERTS, closed: `${OPSGENIE_ALERTS}/{key}/close?identifierType=alias` },
    headers: { authorization: 'GenieKey {apiKey}' },
    body: {
      open: {
        message: '{title:130}',
        description: '{text:15000}',
        alias: '{key}',
        details: '{details}',
        source: 'annotation-service',
      },
      closed: { note: '{title:25000}' },
    },
  },
}

type Words = Readonly<Record<string, unknown>>

/** @param properties of the notifier, whose members are words too */
export function fillTemplate(
  kind: TemplateKind,
  properties: NonNullable<NotifierProperties[TemplateKind]>,
  message: Message,
): OutgoingRequest {
  const { url, headers = {}, body } = TEMPLATES[kind]
  const words = { ...properties, ...wordsOf(message), region: 'isEU' in properties && properties.isEU ? 'eu.' : '' }
  return {
    url: String(fill(url, words, encodeURIComponent)),
    headers: { 'content-type': 'application/json', ...(fill(headers, words) as Record<string, string>) },
    body: JSON.stringify(fill(body, words)),
  }
}

function wordsOf({ id, notice, links }: Message): Words {
  const { action, title, text, time, event, annotation } = notice
  const facts = factsOf(notice)
  const details = Object.fromEntries(facts.map(({ name, value }) => [name, value]))
  return {
    ...{ action, title, text, time, facts, links, details },
    texts: text === '' ? [] : [{ text }],
    textAndLinks: [text, ...links.map((link) => `[${link.text}](${link.url})`)].filter(Boolean).join('\n'),
    textAndDetails: { text, ...details },
    key: annotation ? `${event}/${annotation.id}` : id,
    nonce: id.slice(-25),
    source: annotation?.datasets.join(', ') || 'annotation-service',
  }
}

const PLACE = /\{(\w+)(?::(\d+))?\}/g

/** @param encode what is done to a word within a text */
function fill(template: Template, words: Words, encode: (text: string) => string = (text) => text): unknown {
  if (typeof template === 'string') return fillText(template, words, encode)
  if (typeof template !== 'object' || template === null) return template
  if (Array.isArray(template)) return template.flatMap((one) => (isEach(one) ? fillEach(one, words) : [fill(one, words)]))
  if ('open' in template) return fill(template[words.action as keyof ByAction] as Template, words, encode)
  return Object.fromEntries(Object.entries(template).map(([member, one]) => [member, fill(one, words)]))
}

const isEach = (template: Template): template is Each => typeof template === 'object' && template !== null && 'each' in template

function fillEach({ each, as }: Each, words: Words): unknown[] {
  return (words[each] as Words[]).map((one) => fill(as, { ...words, ...one }))
}

function fillText(text: string, words: Words, encode: (text: string) => string): unknown {
  const [[place, name = '', pointsMax] = []] = text.matchAll(PLACE)
  if (place === text && pointsMax === undefined) return words[name]
  return text.replace(PLACE, (_, word: string, max = Infinity) => encode(cutText(String(words[word]), Number(max))))
}
