/**
 * Copies annotations elsewhere: made once, changed where that is possible there, and removed with what they are copies of. A row for each
 * place. Deliberately not here: when, and how often it is tried, which is as for every message (outbox.ts).
 */
import type { CopyKind } from '@deployment-annotations/contract/notifier'
import type { NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'
import type { Message } from '../message.ts'
import { DeliveryError, type SendRequest } from '../send-request.ts'
import { type CopyNotifier, type CopyNotifierProperties, readMark } from './copy.ts'
import { DATADOG } from './datadog.ts'
import { GRAFANA } from './grafana.ts'
import { HONEYCOMB } from './honeycomb.ts'
import { NEW_RELIC } from './new-relic.ts'

const PLACES: { [K in CopyKind]: CopyNotifier<CopyNotifierProperties<K>> } = {
  grafana: GRAFANA,
  datadog: DATADOG,
  honeycomb: HONEYCOMB,
  newRelic: NEW_RELIC,
}

interface Copied {
  /** What the copy is called there, as far as it is known. */
  remote: string | undefined
  /** An earlier try may have made one. */
  isRepeat: boolean
}

/** @returns what the copy is called there now; `undefined` where there is none. @throws DeliveryError */
export async function copyMark<K extends CopyKind>(
  { kind, properties, send }: { kind: K; properties: NotifierProperties; send: SendRequest },
  message: Message,
  { remote, isRepeat }: Copied,
): Promise<string | undefined> {
  const place = PLACES[kind]
  const own = properties[kind] as CopyNotifierProperties<K>
  const { notice } = message
  const mark = readMark(message)
  const known = remote ?? (isRepeat ? await place.find?.(mark, own, send) : undefined)
  if (notice.action === 'closed') {
    if (known !== undefined) await unlessGone(place.remove?.(known, own, send))
    return undefined
  }
  if (known !== undefined) {
    // Whoever removed it there does not want it back.
    await unlessGone(place.change?.(known, mark, own, send))
    return known
  }
  if (notice.isOld) return undefined
  const made = await place.create(mark, own, send)
  if (notice.event !== 'test' || made === undefined) return made
  await place.remove?.(made, own, send)
  return undefined
}

async function unlessGone(sent: Promise<unknown> | undefined): Promise<void> {
  try {
    await sent
  } catch (error) {
    if (!(error instanceof DeliveryError) || error.status !== 404) throw error
  }
}
