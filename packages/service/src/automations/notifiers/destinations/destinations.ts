/**
 * How a message is sent by each kind of notifier: a row for each.
 */
import type { NotifierKind } from '@deployment-annotations/contract/notifier'
import type { NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'
import type { Message } from '../message.ts'
import type { OutgoingRequest } from '../send-request.ts'
import { buildDiscord, buildDiscordWebhook } from './discord.ts'
import { buildTeams } from './microsoft-teams.ts'
import { buildOpsgenie, buildPagerDuty } from './on-call.ts'
import { buildSlack } from './slack.ts'
import { buildCustomWebhook, buildWebhook } from './webhook.ts'

type Build<K extends NotifierKind> = (
  properties: NonNullable<NotifierProperties[K]>,
  message: Message,
  secret: string,
) => OutgoingRequest

/** All but email, which is no request. */
const BUILDS: { [K in Exclude<NotifierKind, 'email'>]: Build<K> } = {
  slack: buildSlack,
  microsoftTeams: buildTeams,
  webhook: buildWebhook,
  customWebhook: buildCustomWebhook,
  discordWebhook: buildDiscordWebhook,
  discord: buildDiscord,
  pagerduty: buildPagerDuty,
  opsgenie: buildOpsgenie,
}

/** @param secret of a signed kind */
export function buildRequest<K extends Exclude<NotifierKind, 'email'>>(
  kind: K,
  properties: NonNullable<NotifierProperties[K]>,
  message: Message,
  secret: string,
): OutgoingRequest {
  return BUILDS[kind](properties, message, secret)
}
