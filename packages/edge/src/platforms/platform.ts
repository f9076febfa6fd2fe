/**
 * What a platform is to this service: how its requests are proved to be its own, and how they are read. One file each.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { IntegrationMapping } from '@deployment-annotations/contract/integration'
import type { WebhookContent } from './deployment-event.ts'

/** A request as it came: the signature is over these bytes. */
export interface WebhookRequest {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** One way to prove a request; signature.ts has those that platforms share. */
export interface SignatureCheck {
  /** The header with the proof. */
  header: string
  /** What is in it, for people who look for theirs. */
  form: string
  /**
   * What can be told before any secret is tried.
   * @throws ServiceError `unauthorized` when the signature is too old, `malformed` when what it signs is not there
   */
  check?(request: WebhookRequest, nowMs: number): void
  /** Whether the secret is in it, or signed this request. Takes as long whatever the header has. */
  isRight(request: WebhookRequest, secret: string, nowMs: number): boolean | Promise<boolean>
}

export interface Platform {
  /** Each is sufficient on its own. */
  proofs: readonly SignatureCheck[]
  /**
   * Reads a request that was proved.
   * @param reading.mapping how the integration says that bodies are to be read, where it does
   * @returns several where one request can tell of several deployments
   * @throws ServiceError `malformed`; `invalid` where the sender is the user's own script
   */
  read(
    request: WebhookRequest,
    reading: { mapping?: IntegrationMapping | undefined; nowMs: number },
  ): WebhookContent | WebhookContent[]
}

/** A header's value; of a repeated one none, because nothing says which of them counts. */
export function headerOf({ headers }: WebhookRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
