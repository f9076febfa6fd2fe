/**
 * Email by the operator's SMTP server, which is loaded when the first one is sent. A repeat has the same Message-ID, by which mailboxes
 * know it.
 */
import type { NotifierProperties } from '@deployment-annotations/contract/notifier'
import { factsOf, type Message } from './message.ts'
import { DeliveryError, showReply } from './send-request.ts'

export interface SmtpOptions {
  /** `smtp:` with STARTTLS where the server has it, or `smtps:`; it may name a user. */
  url: URL
  from: string
  password?: string
}

/** For each part of the exchange; together they end before the claim on a message does. */
const SMTP_MS_MAX = 5_000

/** @throws DeliveryError */
export async function sendEmail(
  { emails }: NonNullable<NotifierProperties['email']>,
  { id, atMs, notice, links }: Message,
  smtp: SmtpOptions | undefined,
): Promise<void> {
  if (!smtp) throw new DeliveryError('the service has no SMTP server; its operator gives one with --smtp', { isPassing: true })
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(toOptions(smtp))
  const facts = factsOf(notice).map(({ name, value }) => `${name}: ${value}`)
  const lines = [notice.text, '', ...facts, '', ...links.map(({ url }) => url)]
  try {
    const { rejected } = await transport.sendMail({
      from: smtp.from,
      to: emails,
      subject: notice.title.replace(/\s+/g, ' '),
      text: lines.join('\n').trim(),
      messageId: `<${id}@${smtp.from.replace(/^.*@|(?<![>\s])[>\s]+$/g, '')}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      date: new Date(atMs),
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    if (rejected.length > 0) {
      const message = `the SMTP server refused ${rejected.length} of ${emails.length} addresses, and took the others`
      throw new DeliveryError(message, { isPassing: false })
    }
  } catch (error) {
    if (error instanceof DeliveryError) throw error
    throw toDeliveryError(error, smtp)
  } finally {
    transport.close()
  }
}

function toOptions({ url, password }: SmtpOptions) {
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // A password is never sent in the clear.
    ...(user !== '' && { auth: { user, pass: password ?? '' }, ...(!secure && { requireTLS: true }) }),
    connectionTimeout: SMTP_MS_MAX,
    greetingTimeout: SMTP_MS_MAX,
    socketTimeout: SMTP_MS_MAX,
    dnsTimeout: SMTP_MS_MAX,
  }
}

/** A reply of 5xx says that the message will not be taken later either. */
function toDeliveryError(error: unknown, { password = '' }: SmtpOptions): DeliveryError {
  const { responseCode, response, code } = error as { responseCode?: number; response?: string; code?: string }
  if (responseCode === undefined) {
    return new DeliveryError(`the SMTP server could not be used${code === undefined ? '' : ` (${code})`}`, { isPassing: true })
  }
  const said = showReply(response ?? String(responseCode), [password])
  // A wrong password is put right by the operator.
  const isPassing = responseCode < 500 || code === 'EAUTH'
  return new DeliveryError(`the SMTP server answered ${said}`, { isPassing })
}
