/**
 * The flags of notifications: where they may go, and by which server email is sent. Its password is read from a variable or a file alone.
 */

import type { SmtpOptions } from '@deployment-annotations/edge/messages/email'
import { Option } from 'commander'

export interface NotificationFlags {
  allowPrivateNotifications: boolean
  smtp?: URL
  smtpFrom?: string
  publicUrl?: URL
}

const PASSWORD_VARIABLE = 'ANNOTATION_SERVICE_SMTP_PASSWORD'

/** @returns new options, because an option belongs to its command */
export function createNotificationOptions(): Option[] {
  return [
    new Option(
      '--allow-private-notifications',
      'let notifiers send to addresses inside networks: loopback, private and link-local ones, the metadata of clouds',
    )
      .env('ANNOTATION_SERVICE_ALLOW_PRIVATE_NOTIFICATIONS')
      .default(false),
    new Option(
      '--smtp <url>',
      `the server that sends the email of notifiers, smtp://user@host:587 or smtps://user@host; its password is in ${PASSWORD_VARIABLE}`,
    )
      .env('ANNOTATION_SERVICE_SMTP')
      .argParser((text) => parseUrl('--smtp', text, ['smtp:', 'smtps:'])),
    new Option('--smtp-from <address>', 'the sender of that email').env('ANNOTATION_SERVICE_SMTP_FROM'),
    new Option('--public-url <url>', 'where people reach the page, for links in notifications')
      .env('ANNOTATION_SERVICE_PUBLIC_URL')
      .argParser((text) => parseUrl('--public-url', text, ['https:', 'http:'])),
  ]
}

/** @throws Error without the text, which may have a password: the parser's own errors repeat what was given */
function parseUrl(flag: string, text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && url.hostname !== '' && url.password === '' && protocols.includes(url.protocol)) return url
  throw new Error(`${flag} must be a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')} and has no password`)
}

/** @throws Error where a part is missing */
export function readNotifications({ allowPrivateNotifications, smtp: url, smtpFrom: from, publicUrl }: NotificationFlags) {
  const password = process.env[PASSWORD_VARIABLE]
  if (url && !from) throw new Error('--smtp needs --smtp-from, the sender of the email')
  const smtp: SmtpOptions | undefined = url && from ? { url, from, ...(password && { password }) } : undefined
  // A relative address is of a folder.
  if (publicUrl && !publicUrl.pathname.endsWith('/')) publicUrl.pathname += '/'
  return { mayBePrivate: allowPrivateNotifications, smtp, publicUrl }
}
