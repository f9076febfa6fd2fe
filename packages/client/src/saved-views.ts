/**
 * Saved views: what a page of charts shows, under a name. Specific to our service.
 */
import { SAVED_VIEWS_PATH, savedViewPath } from '@deployment-annotations/contract/saved-view'
import type { NewSavedView, SavedView, SavedViewChange } from '@deployment-annotations/contract/schemas/saved-view'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing } from './reply.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

export interface SavedViewsClient {
  /** Not sent again where its answer is lost, because that could make a second one; the list shows whether it is there. */
  create(view: NewSavedView, options?: CallOptions): Promise<SavedView>
  list(options?: CallOptions): Promise<SavedView[]>
  get(id: string, options?: CallOptions): Promise<SavedView>
  /** Members that are not sent keep their values. */
  change(id: string, change: SavedViewChange, options?: CallOptions): Promise<SavedView>
  delete(id: string, options?: CallOptions): Promise<void>
}

const parseView = oneWith<SavedView>('id')

export function createSavedViewsClient(connection: Connection): SavedViewsClient {
  const ask = createAsk(connection)
  return {
    create: (body, options) => ask('POST', SAVED_VIEWS_PATH, { body, read: parseView, options, isSentOnce: true }),
    list: (options) => ask('GET', SAVED_VIEWS_PATH, { read: listWith<SavedView>('id'), options }),
    get: (id, options) => ask('GET', savedViewPath(id), { read: parseView, options }),
    change: (id, body, options) => ask('PUT', savedViewPath(id), { body, read: parseView, options }),
    delete: (id, options) => ask('DELETE', savedViewPath(id), { read: parseNothing, options }),
  }
}
