/**
 * The closed lists of deployment webhooks.
 */

/** What a deployment that reports itself can say of itself. */
export const DEPLOYMENT_STATUSES = ['started', 'succeeded', 'failed', 'canceled'] as const

/** What became of the annotation; a repeat is `unchanged`. */
export const WEBHOOK_OUTCOMES = ['created', 'changed', 'unchanged', 'ignored'] as const
