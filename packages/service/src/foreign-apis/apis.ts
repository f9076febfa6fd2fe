/** The APIs of others in which tools mark here: a file and a row each. */
import type { AnnotationApi } from './annotation-api.ts'
import { datadog } from './datadog.ts'
import { honeycomb } from './honeycomb.ts'
import { newRelic, newRelicRest } from './new-relic.ts'
import { sentry } from './sentry.ts'

export const APIS: readonly AnnotationApi[] = [honeycomb, datadog, newRelic, newRelicRest, sentry]
