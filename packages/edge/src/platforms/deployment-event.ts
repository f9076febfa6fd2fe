/**
 * What a platform says of one deployment at one moment, in words that all platforms share. Pure data.
 */
import { TITLE_FACTS } from '@deployment-annotations/contract/integration'

/** `queued`: it was asked for; `started`: it is being carried out; the others: it has ended. */
export type DeploymentState = 'queued' | 'started' | Outcome
export type Outcome = 'succeeded' | 'failed' | 'canceled'

/**
 * What is known of a deployment besides its times. `by` is who deployed; `change` what is deployed, the first line of a commit message; `url`
 * is http or https; `kind` what the event is if it is no deployment, and the type of the annotation; `action` what was done where it is
 * another thing than to deploy, in the past tense: `rolled back`; `title` takes the place of the integration's title.
 */
export const FACTS = [...TITLE_FACTS, 'change', 'url', 'kind', 'action', 'title'] as const
/** Texts are cut and well-formed, and may hold anything else. */
export type DeploymentFacts = { [Name in (typeof FACTS)[number]]?: string | undefined }

export interface DeploymentEvent {
  /** The platform's id of the deployment. */
  deployment: string
  state: DeploymentState
  /** When the platform says it happened, never when it arrived: so a repeat says the same. */
  atNs: bigint
  /** Orders events of one moment, where the platform counts them. */
  sequence?: number | undefined
  /** Its end follows from something that came later, so `atNs` is not when it ended: counts where nothing better is known. */
  isImplied?: boolean | undefined
  /** When it was asked for, where an event about something later says so. */
  queuedNs?: bigint | undefined
  /** When it was started, where an event about its end says so. */
  startedNs?: bigint | undefined
  /** Why it failed. */
  message?: string | undefined
  facts: DeploymentFacts
  /** What an integration may call its environment. */
  environments: string[]
}

/** What a request says: an event, or why there is nothing to do. */
export type WebhookContent = { event: DeploymentEvent } | { ignored: string }
