/** Fills a real service over HTTP: events, annotations, and what else is sent as JSON. */
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { Permission } from '@deployment-annotations/contract/permission'
import type { MadeToken } from '@deployment-annotations/contract/token'
import type { RunningService } from './service.ts'

type Service = Pick<RunningService, 'url' | 'token'>

/** @param body sent as JSON; a text is sent as it is @returns the answer's body; throws with it when the service refuses */
export async function send<T>({ url, token }: Service, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + (path.startsWith('/v2/tokens') ? withAllMembers(path) : path), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** @param path of a list; all that it has is deleted */
export async function deleteAll(service: Service, path: string): Promise<void> {
  for (const { id } of await send<{ id: string }[]>(service, 'GET', path)) await send(service, 'DELETE', `${path}/${id}`)
}

/** @returns the secret of a new token that may do no more than that */
export async function tokenWith(service: Service, ...permissions: Permission[]): Promise<string> {
  return (await send<MadeToken>(service, 'POST', '/v2/tokens', { name: 'narrow', permissions })).token
}

export function ingest(service: Service, dataset: string, events: readonly object[] | string): Promise<void> {
  return send(service, 'POST', `/v1/datasets/${dataset}/ingest`, events)
}

export function annotate(service: Service, annotation: NewAnnotation): Promise<Annotation> {
  return send(service, 'POST', '/v2/annotations', annotation)
}

export function listAll(service: Service): Promise<Annotation[]> {
  return send(service, 'GET', '/v2/annotations')
}
