/**
 * The pages with their titles and components. The page of charts is part of the first script; the others are loaded when they are
 * opened, and prefetched when somebody points at their link.
 */
import type { Permission } from '@deployment-annotations/contract/permission'
import type { FunctionComponent } from 'preact'
import type { Place } from '../address/view.ts'
import { Explore } from '../explore/explore.tsx'
import { type Later, later } from '../parts/later.tsx'
import { may } from '../service/session.ts'
import { Nowhere } from './nowhere.tsx'

interface ShownPage {
  title: string
  /** The page of the help that is about it; by default that of the dashboard. */
  help?: string
  View: FunctionComponent<object>
  /** What a token needs to see it; absent where everybody sees something. */
  needs?: Permission
  /** Starts to load a page that is loaded when it is opened. */
  prefetch?: Later<object>['prefetch']
}

export const MAIN = ['home', 'releases', 'explore', 'views'] as const
/** The pages under “Settings”. */
export const SETTINGS = ['monitors', 'integrations', 'datasets', 'tokens', 'annotations'] as const

export const SHOWN: Readonly<Record<Place, ShownPage>> = {
  home: { title: 'Home', View: Explore },
  explore: { title: 'Explore', View: Explore },
  releases: {
    title: 'Releases',
    help: 'releases',
    needs: 'annotations|read',
    ...later(async () => (await import('../releases/releases.tsx')).ReleasesPage),
  },
  views: {
    title: 'Views',
    needs: 'views|read',
    ...later(async () => (await import('../saved-views/views.tsx')).Views),
  },
  annotations: {
    title: 'Annotations',
    needs: 'annotations|read',
    ...later(async () => (await import('../all-annotations/all-annotations.tsx')).AllAnnotations),
  },
  monitors: {
    title: 'Monitors',
    help: 'monitors',
    needs: 'monitors|read',
    ...later(async () => (await import('../monitors/monitors.tsx')).Monitors),
  },
  datasets: {
    title: 'Datasets',
    needs: 'datasets|read',
    ...later(async () => (await import('../datasets/datasets.tsx')).Datasets),
  },
  integrations: {
    title: 'Integrations',
    help: 'deployments',
    needs: 'integrations|read',
    ...later(async () => (await import('../integrations/integrations.tsx')).Integrations),
  },
  tokens: {
    title: 'Tokens',
    help: 'tokens',
    needs: 'apiTokens|read',
    ...later(async () => (await import('../tokens/tokens.tsx')).Tokens),
  },
  nowhere: { title: 'Nothing here', View: Nowhere },
}

/** @returns whether there is anything on the page for the token; true while its permissions are not known */
export function isOffered({ needs }: ShownPage): boolean {
  return needs === undefined || may(needs)
}
