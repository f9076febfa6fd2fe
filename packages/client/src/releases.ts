/**
 * Releases, whether they hurt, and the four metrics of delivery; of our service alone.
 */
import type { AnnotationFilter } from '@deployment-annotations/contract/annotation'
import { RELEASES_PATH } from '@deployment-annotations/contract/release'
import type { Releases as WireReleases } from '@deployment-annotations/contract/schemas/release'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { createAsk, oneWith } from './resources.ts'

export type Releases = WireReleases

/** By default those of all datasets and 30 days until now. */
export interface ReleaseFilter extends Omit<AnnotationFilter, 'verdict' | 'service' | 'environment'> {
  /** One or several, as the next. */
  service?: string | readonly string[]
  environment?: string | readonly string[]
}

export interface ReleasesClient {
  list(filter?: ReleaseFilter, options?: CallOptions): Promise<Releases>
}

export function createReleasesClient(connection: Connection): ReleasesClient {
  const ask = createAsk(connection)
  return {
    list: (filter = {}, options = undefined) => {
      const given = Object.entries(filter).map(([name, value]): [string, string] => [name, String(value ?? '')])
      const query = new URLSearchParams(given.filter(([, value]) => value !== ''))
      return ask('GET', query.size === 0 ? RELEASES_PATH : `${RELEASES_PATH}?${query}`, {
        read: oneWith<Releases>('start'),
        options,
      })
    },
  }
}
