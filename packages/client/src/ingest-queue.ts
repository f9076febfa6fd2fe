/**
 * Events that a program hands over without waiting, as loggers do: sent in the background, batch by batch. Nothing rejects, and whatever
 * is not stored is reported.
 */
import { type Batch, OpenBatch, writeLine } from './batches.ts'
import { ClientError, ConfigError, InvalidRequestError } from './errors.ts'
import { newIdempotencyKey } from './identity.ts'
import { type IngestClient, IngestError, type IngestOptions, NOTHING_STORED } from './ingest.ts'

export interface IngestQueueOptions extends Omit<IngestOptions, 'signal' | 'csvDelimiter' | 'onBatch'> {
  /**
   * Called with every failure by which events are lost: an {@link IngestError} with the batch that was not delivered or the event for
   * which there was no room, an InvalidRequestError for events that the service refused, a ConfigError for what is no event. By default
   * the message is written with `console.error`.
   */
  onError?: (error: ClientError) => void
  /** Characters of the events of a dataset that wait at most, those that are being sent included; default 64 Mi. */
  waitingCharsMax?: number
}

export interface IngestQueue extends AsyncDisposable {
  /** Takes one event or several; they are written down at once, and may be changed afterwards. Never throws. */
  add(dataset: string, events: object | readonly object[]): void
  /** Sends what waits. @returns once every event that was added before is stored or reported; never rejects */
  flush(): Promise<void>
}

const WAITING_CHARS_MAX = 64 * 1024 * 1024

export function createIngestQueue(client: Pick<IngestClient, 'ingestNdjson'>, options: IngestQueueOptions = {}): IngestQueue {
  const queues = new Map<string, DatasetQueue>()
  const flush = async () => void (await Promise.all([...queues.values()].map((queue) => queue.flush())))
  return {
    add(dataset, events) {
      const queue = queues.get(dataset) ?? openDatasetQueue(client, dataset, options)
      queues.set(dataset, queue)
      for (const event of Array.isArray(events) ? events : [events]) queue.add(event)
    },
    flush,
    [Symbol.asyncDispose]: flush,
  }
}

type DatasetQueue = ReturnType<typeof openDatasetQueue>

/** Sends one request at a time, so that events are stored in their order. */
function openDatasetQueue(client: Pick<IngestClient, 'ingestNdjson'>, dataset: string, options: IngestQueueOptions) {
  const { onError = ({ message }) => console.error(message), waitingCharsMax = WAITING_CHARS_MAX, ...settings } = options
  const batch = new OpenBatch('application/x-ndjson', settings)
  let waitingChars = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending = Promise.resolve()

  function report(error: unknown): void {
    try {
      onError(error instanceof ClientError ? error : new ConfigError(String(error), { cause: error }))
    } catch (thrown) {
      console.error(thrown)
    }
  }

  async function deliver({ body, count }: Batch): Promise<void> {
    const whole = { batchEventsMax: count, batchCharsMax: body.length }
    try {
      const { failed, failures } = await client.ingestNdjson(dataset, [body], { ...settings, ...whole })
      if (failed > 0)
        report(new InvalidRequestError(`${failed} of ${count} events for "${dataset}" were refused: ${failures[0]?.error}`))
    } catch (error) {
      report(error)
    }
    waitingChars -= body.length
  }

  function refuse(line: string): IngestError {
    const why = `${waitingChars} characters of events for "${dataset}" wait, and ${waitingCharsMax} may`
    const lost = { body: line, contentType: 'application/x-ndjson', count: 1 } as const
    return new IngestError(new ConfigError(why), NOTHING_STORED, { ...lost, idempotencyKey: newIdempotencyKey() })
  }

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    if (batch.count === 0) return
    const taken = batch.take()
    sending = sending.then(() => deliver(taken))
  }

  return {
    add(event: object): void {
      try {
        const line = writeLine(event, 'an event')
        if (waitingChars + line.length > waitingCharsMax) throw refuse(line)
        if (batch.isFullFor(line)) send()
        batch.add(line)
        waitingChars += line.length
        timer ??= setTimeout(send, batch.dueInMs)
      } catch (error) {
        report(error)
      }
    },
    flush(): Promise<void> {
      send()
      return sending
    },
  }
}
