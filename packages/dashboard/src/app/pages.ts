/**
 * The pages with their titles and components. The page of charts is part of the first script; the others are loaded when they are
 * opened, and prefetched when somebody points at their link.
 */
import type { Permission } from '@deployment-annotations/contract/permission'
import type { FunctionComponent } from 'preact'
import type { Place } from '../address/view.ts'
import { Explore } from '../explore/explore.tsx'
import { type Later, later } from '../parts/later.tsx'
import { may, user } from '../service/session.ts'
import { Nowhere } from './nowhere.tsx'

interface ShownPage {
  title: string
  /** The page of the help that is about it, and the part of it. */
  help: string
  View: FunctionComponent<object>
  /** What a token needs to see it; absent where everybody sees something. */
  needs?: Permission | 'personal token'
  /** Starts to load a page that is loaded when it is opened. */
  prefetch?: Later<object>['prefetch']
}

export const MAIN = ['home', 'releases', 'explore', 'views'] as const
/** The pages under “Settings”. */
export const SETTINGS = ['monitors', 'integrations', 'datasets', 'tokens', 'annotations'] as const

export const SHOWN: Readonly<Record<Place, ShownPage>> = {
  home: { title: 'Home', help: 'dashboard#charts', View: Explore },
  explore: { title: 'Explore', help: 'dashboard#charts', View: Explore },
  releases: {
    title: 'Releases',
    help: 'releases',
    needs: 'annotations|read',
    ...later(async () => (await import('../releases/releases.tsx')).ReleasesPage),
  },
  views: {
    title: 'Views',
    help: 'dashboard#saved-views-and-links',
    needs: 'views|read',
    ...later(async () => (await import('../saved-views/views.tsx')).Views),
  },
  annotations: {
    title: 'Annotations',
    help: 'dashboard#annotations',
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
    help: 'dashboard#lists-and-forms',
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
    needs: 'personal token',
    ...later(async () => (await import('../tokens/tokens.tsx')).Tokens),
  },
  nowhere: { title: 'Nothing here', help: 'dashboard', View: Nowhere },
}

/** @returns whether there is anything on the page for the token; true while its permissions are not known */
export function isOffered({ needs }: ShownPage): boolean {
  if (needs === 'personal token') return user.value === undefined || user.value.role.id === 'personal'
  return needs === undefined || may(needs)
}
