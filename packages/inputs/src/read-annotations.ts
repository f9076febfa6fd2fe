/** The part of the client that reads annotations. A bundle that only reads takes this, and not what creates them. */
import { getAnnotation, listAnnotations } from '@deployment-annotations/client/annotation-calls'
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import { startContext } from '@deployment-annotations/client/calls'
import type { Connection } from '@deployment-annotations/client/connection'

export const createAnnotationsReader = (connection: Connection): Pick<AnnotationsClient, 'get' | 'list'> => ({
  list: async (filter = {}, options = {}) => (await listAnnotations(startContext(connection, options), filter)).annotations,
  get: (id, options = {}) => getAnnotation(startContext(connection, options), id),
})
