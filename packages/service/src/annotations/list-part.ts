/**
 * Pages of the list of annotations: the parameters that ask for one, and the link to the next.
 */
import { ANNOTATIONS_PER_PAGE_MAX, LIST_ORDERS, type ListOrder } from '@deployment-annotations/contract/annotation'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { clampStorable } from '@deployment-annotations/contract/timestamp'
import type { ListPosition } from '@deployment-annotations/records/annotations/annotation-records'
import { invalid, ServiceError, showValue } from '@deployment-annotations/runtime/errors'

/** What of a list is asked for. */
interface ListedPart {
  /** `pageSize` on the wire, because a list always ignored what it did not know, such as a `limit`. */
  limit?: number
  order?: ListOrder
  after?: ListPosition
}

/** @throws ServiceError `invalid`, and `malformed` for a cursor that no list gave */
export function readListedPart(parameters: unknown): ListedPart {
  const query = parameters as Readonly<Record<string, string | string[] | undefined>>
  const [limit, order, cursor] = [query.pageSize, query.order, query.pageCursor].map(
    (value) => [value ?? []].flat()[0] || undefined,
  )
  if (limit !== undefined && !(/^\d{1,9}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= ANNOTATIONS_PER_PAGE_MAX)) {
    throw invalid(
      VALIDATION_CODES.max,
      `pageSize must be a number from 1 to ${ANNOTATIONS_PER_PAGE_MAX}, got ${showValue(limit)}`,
    )
  }
  const known = LIST_ORDERS.find((one) => one === order)
  if (order !== undefined && !known) {
    throw invalid(VALIDATION_CODES.enum, `order must be one of ${LIST_ORDERS.join(', ')}, got ${showValue(order)}`)
  }
  const [, time, id = ''] = CURSOR.exec(cursor ?? '') ?? []
  if (cursor !== undefined && time === undefined) {
    throw new ServiceError('malformed', `pageCursor must be one that a list gave, got ${showValue(cursor)}`)
  }
  return dropUndefined({
    limit: limit === undefined ? undefined : Number(limit),
    order: known,
    after: time === undefined ? undefined : { timeNs: clampStorable(BigInt(time)), id },
  })
}

const CURSOR = /^(-?\d{1,19})\.(ann_[A-Za-z0-9_-]{1,64})$/

/** @returns the address of the rest of a list, relative to that of the list */
export function linkAfter({ timeNs, id }: ListPosition, url: string): string {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  parameters.set('pageCursor', `${timeNs}.${id}`)
  return `<?${parameters.toString().replaceAll('%2C', ',')}>; rel="next"`
}
