/**
 * A transport of winston 3: `winston.createLogger({ transports: [new WinstonTransport({ dataset: 'logs', token, url })] })`. winston takes
 * any stream of objects that has its members, so none of winston's packages is needed.
 */
import { Writable } from 'node:stream'
import type { IngestQueue } from './ingest-queue.ts'
import { type LogTransportOptions, openLogQueue } from './log-transport.ts'

/** Where winston has the level of an entry, whatever its format makes of the member `level`. */
const LEVEL = Symbol.for('level')

type Entry = { [LEVEL]?: string }
type Logger = { level?: string; levels?: Record<string, number> }

export interface WinstonTransportOptions extends LogTransportOptions {
  /** Entries below it are left out; default the logger's. */
  level?: string
  /** Leaves all entries out; default `false`. */
  silent?: boolean
  /** Also logs what nothing catches; default `false`. */
  handleExceptions?: boolean
  handleRejections?: boolean
}

export class WinstonTransport extends Writable {
  readonly level: string | undefined
  silent: boolean
  readonly handleExceptions: boolean
  readonly handleRejections: boolean
  readonly #queue: IngestQueue
  readonly #dataset: string
  #logger: Logger = {}

  constructor(options: WinstonTransportOptions) {
    super({ objectMode: true })
    this.level = options.level
    this.silent = options.silent ?? false
    this.handleExceptions = options.handleExceptions ?? false
    this.handleRejections = options.handleRejections ?? false
    this.#queue = openLogQueue(options)
    this.#dataset = options.dataset
    this.on('pipe', (logger: Logger) => {
      this.#logger = logger
    })
  }

  /** winston knows what it may pipe to by this method and its two parameters. */
  log(entry: Entry, done: () => void): void {
    this.#queue.add(this.#dataset, { _time: new Date().toISOString(), ...entry })
    this.emit('logged', entry)
    done()
  }

  /** @returns once every entry that was written before is stored or reported */
  flush(): Promise<void> {
    return this.#queue.flush()
  }

  override _write(entry: Entry, _: string, done: () => void): void {
    if (this.silent || !this.#isWanted(entry)) done()
    else this.log(entry, done)
  }

  override _final(done: () => void): void {
    void this.flush().then(done)
  }

  /** The most important level of winston has the least number. */
  #isWanted(entry: Entry): boolean {
    const { levels = {}, level = '' } = this.#logger
    const [most = 0, own = 0] = [levels[this.level ?? level], levels[entry[LEVEL] ?? '']]
    return this.#logger.levels === undefined || own <= most
  }
}
