/** Fills a real service over HTTP for tests of the page: events, annotations, and what else is sent as JSON. */

import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { RunningService } from '../../../../__tests__/support/service.ts'

type Service = Pick<RunningService, 'url' | 'token'>

/** @returns the answer's body; throws with it when the service refuses */
export async function send<T>({ url, token }: Service, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + (path.startsWith('/v2/tokens') ? withAllMembers(path) : path), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** @param path of a list; all that it has is deleted */
export async function deleteAll(service: Service, path: string): Promise<void> {
  for (const { id } of await send<{ id: string }[]>(service, 'GET', path)) await send(service, 'DELETE', `${path}/${id}`)
}

export function ingest(service: Service, dataset: string, events: readonly object[]): Promise<void> {
  return send(service, 'POST', `/v1/datasets/${dataset}/ingest`, events)
}

export function annotate(service: Service, annotation: NewAnnotation): Promise<Annotation> {
  return send(service, 'POST', '/v2/annotations', annotation)
}

export function listAll(service: Service): Promise<Annotation[]> {
  return send(service, 'GET', '/v2/annotations')
}
