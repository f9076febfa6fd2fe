/**
 * The pages with their titles and components. The page of charts is part of the first script; the others are loaded when they are
 * opened, and prefetched when somebody points at their link.
 */
import type { FunctionComponent } from 'preact'
import type { Page } from '../address/view.ts'
import { Explore } from '../explore/explore.tsx'
import { type Later, later } from '../parts/later.tsx'
import { Nowhere } from './nowhere.tsx'

interface ShownPage {
  title: string
  View: FunctionComponent<object>
  /** Starts to load a page that is loaded when it is opened. */
  prefetch?: Later<object>['prefetch']
}

export const SHOWN: Readonly<Record<Page, ShownPage>> = {
  explore: { title: 'Explore', View: Explore },
  releases: { title: 'Releases', ...later(async () => (await import('../releases/releases.tsx')).ReleasesPage) },
  views: { title: 'Views', ...later(async () => (await import('../saved-views/views.tsx')).Views) },
  annotations: {
    title: 'Annotations',
    ...later(async () => (await import('../all-annotations/all-annotations.tsx')).AllAnnotations),
  },
  monitors: { title: 'Monitors', ...later(async () => (await import('../monitors/monitors.tsx')).Monitors) },
  datasets: { title: 'Datasets', ...later(async () => (await import('../datasets/datasets.tsx')).Datasets) },
  integrations: {
    title: 'Integrations',
    ...later(async () => (await import('../integrations/integrations.tsx')).Integrations),
  },
  tokens: { title: 'Tokens', ...later(async () => (await import('../tokens/tokens.tsx')).Tokens) },
  nowhere: { title: 'Nothing here', View: Nowhere },
}
