/**
 * Releases, whether they hurt, and the four metrics of delivery; of our service alone.
 */
import type { AnnotationFilter } from '@deployment-annotations/contract/annotation'
import { CHANGES_PATH, RELEASES_PATH } from '@deployment-annotations/contract/release'
import type { Changes as WireChanges } from '@deployment-annotations/contract/schemas/change'
import type { Releases as WireReleases } from '@deployment-annotations/contract/schemas/release'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { pathWith } from './request.ts'
import { createAsk, oneWith } from './resources.ts'

export type Releases = WireReleases
export type Changes = WireChanges

/** The moment: at most one of `time`, `annotation` and `monitor`; by default now. */
export interface ChangeFilter {
  /** RFC 3339, or relative to now, such as `now-20m`. */
  time?: string
  /** The id of an annotation, such as an incident. */
  annotation?: string
  /** The id of a monitor, whose last alert is taken. */
  monitor?: string
  /** How far back to look, such as `6h`; by default a day. */
  before?: string
  datasets?: readonly string[]
  service?: string | readonly string[]
  environment?: string | readonly string[]
}

/** By default those of all datasets and 30 days until now. */
export interface ReleaseFilter extends Omit<AnnotationFilter, 'verdict' | 'service' | 'environment'> {
  /** One or several, as the next. */
  service?: string | readonly string[]
  environment?: string | readonly string[]
}

export interface ReleasesClient {
  list(filter?: ReleaseFilter, options?: CallOptions): Promise<Releases>
  /** What changed before a moment or an alert, the likeliest cause first. */
  changes(filter?: ChangeFilter, options?: CallOptions): Promise<Changes>
}

export function createReleasesClient(connection: Connection): ReleasesClient {
  const ask = createAsk(connection)
  return {
    list: (filter = {}, options = undefined) =>
      ask('GET', pathWith(RELEASES_PATH, filter), { read: oneWith<Releases>('start'), options }),
    changes: (filter = {}, options = undefined) =>
      ask('GET', pathWith(CHANGES_PATH, filter), { read: oneWith<Changes>('time'), options }),
  }
}
