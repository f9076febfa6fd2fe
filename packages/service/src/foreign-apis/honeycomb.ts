/**
 * Honeycomb's markers: https://api-docs.honeycomb.io/api/markers, read 2026-11. A dataset of the path is ours, and `__all__` stands for
 * those that the token is limited to.
 */
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { type AnnotationApi, type ApiRequest, placeOf, secondsOf, textsOf, timeOf, typeOf } from './annotation-api.ts'

const ALL = '/1/markers/:dataset'
const ONE = `${ALL}/:id`

export const honeycomb: AnnotationApi = {
  tokenHeader: 'x-honeycomb-team',
  operations: [
    {
      method: 'POST',
      path: ALL,
      does: 'create',
      status: 201,
      read: readMarker,
      key: keyOf,
      answer: ([made]) => made && toMarker(made),
    },
    { method: 'GET', path: ALL, does: 'list', filter: (request) => filterOf(request), answer: (found) => found.map(toMarker) },
    {
      method: 'PUT',
      path: ONE,
      does: 'change',
      id: ({ params }) => params.id ?? '',
      read: ({ body }) => readMembers(body),
      answer: ([changed]) => changed && toMarker(changed),
    },
    {
      // Its description says 202, which its own command honeymarker takes for a failure.
      method: 'DELETE',
      path: ONE,
      does: 'remove',
      id: ({ params }) => params.id ?? '',
      answer: ([gone]) => gone && toMarker(gone),
    },
    {
      method: 'GET',
      path: '/1/auth',
      does: 'none',
      answer: () => ({
        api_key_access: { markers: true, events: false, queries: false, columns: false, boards: false, triggers: false },
        team: { name: 'Annotation service', slug: 'annotation-service' },
        environment: { name: '', slug: '' },
      }),
    },
  ],
}

function readMarker(request: ApiRequest) {
  const { body, params } = request
  // Nothing of a marker is required.
  const members = readMembers(body)
  // The path names it, so that it need not be there yet.
  const datasets = params.dataset === '__all__' ? placeOf([], request, 'name a dataset in the path') : [params.dataset ?? '']
  return { ...members, datasets, type: typeOf(body.type, 'deploy') }
}

function readMembers({ message, type, url, start_time, end_time }: ApiRequest['body']) {
  const [time, endTime] = [timeOf('start_time', start_time), timeOf('end_time', end_time)]
  return {
    ...(message !== undefined && textsOf({ title: message, url })),
    ...(message === undefined && url !== undefined && { url: String(url) }),
    ...(type !== undefined && { type: typeOf(type, 'deploy') }),
    ...(time !== undefined && { time }),
    ...(endTime !== undefined && { endTime }),
  }
}

/** Without a time, a second marker like the first may be meant. */
function keyOf({ body, params }: ApiRequest): string | undefined {
  return body.start_time === undefined ? undefined : JSON.stringify([params.dataset, body])
}

function filterOf({ params }: ApiRequest) {
  return params.dataset === '__all__' ? {} : { datasets: [params.dataset ?? ''] }
}

function toMarker({ id, timeNs, endTimeNs, title = '', type, url = '', createdAtMs }: StoredAnnotation) {
  const created = formatTimestamp(BigInt(createdAtMs) * 1_000_000n)
  return {
    id,
    start_time: secondsOf(timeNs),
    ...(endTimeNs !== undefined && { end_time: secondsOf(endTimeNs) }),
    message: title,
    type,
    url,
    created_at: created,
    updated_at: created,
  }
}
