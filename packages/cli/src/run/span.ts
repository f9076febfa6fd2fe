/**
 * The span around a command: opened beside it, never in its way; closed when it has ended.
 */
import { ClientError } from '@deployment-annotations/client/errors'
import { markNow } from '@deployment-annotations/client/identity'
import { buildClosing, isFailure } from '@deployment-annotations/inputs/annotation'
import type { Intent, Leftover } from '@deployment-annotations/inputs/close'
import { describe } from '@deployment-annotations/inputs/describe'
import { explain, isOutage } from '@deployment-annotations/inputs/explain'
import { createOrPut } from '@deployment-annotations/inputs/save'
import { closeLeftover } from '../close-leftover.ts'
import { callOptions, connect } from '../connect.ts'
import { COMMAND, type MarkInputs } from '../inputs.ts'
import { log, warn } from '../output.ts'
import { reportHints } from '../report.ts'
import { Keeper } from './keeper.ts'

export class CommandSpan {
  readonly #inputs: MarkInputs
  readonly #keeper = new Keeper()
  readonly #opening: Promise<void>
  #leftover: Leftover
  /** Whether the service has refused it, so that there is nothing to close and no use in trying again. */
  #isRefused = false
  /** How the command went; until it has ended nobody knows. */
  #result = 'ended'

  constructor(inputs: MarkInputs) {
    this.#inputs = inputs
    const { annotation, key, typeOnFailure, hasOwnTime } = inputs
    const intent: Intent = { annotation, key, typeOnFailure, isSpan: true, hasOwnTime }
    this.#leftover = { intent, doubt: false }
    this.#opening = this.#open()
  }

  async #open(): Promise<void> {
    const { annotation, key, service } = this.#inputs
    this.#tellKeeper()
    try {
      await using client = connect(service)
      const options = callOptions(() => this.#remember({ doubt: true }))
      const { stored, outcome, hints } = await createOrPut(client.annotations, { annotation, key, options })
      this.#remember({ id: stored.id })
      log(describe(outcome, stored, ' until the command ends'))
      reportHints(hints)
    } catch (error) {
      const mayExist = error instanceof ClientError && error.mayHaveTakenEffect
      this.#remember({ doubt: mayExist })
      this.#isRefused = !mayExist && !isOutage(error)
      warn(`${explain(error, 'create the annotation', COMMAND)} The command goes on.`)
    }
  }

  /** @param result how the command went */
  async close(result: string): Promise<void> {
    using _ = this.#keeper
    this.#result = result
    this.#tellKeeper()
    await this.#opening
    if (this.#isRefused) return
    try {
      const { service } = this.#inputs
      const isKnown = this.#leftover.id !== undefined || this.#leftover.doubt
      const closed = isKnown ? await closeLeftover(this.#leftover, { service, result, tell: log }) : undefined
      if (closed === undefined) await this.#createWhole(result)
    } catch (error) {
      warn(explain(error, 'close the release span', COMMAND))
    }
  }

  /** Nothing was stored when the command began, in an outage that may be over now. */
  async #createWhole(result: string): Promise<void> {
    const { annotation, key, typeOnFailure, service } = this.#inputs
    await using client = connect(service)
    const type = (isFailure(result) && typeOnFailure) || annotation.type
    const whole = { ...annotation, ...buildClosing(annotation, result, markNow()), type }
    const { stored, outcome } = await createOrPut(client.annotations, { annotation: whole, key, options: callOptions() })
    log(describe(outcome, stored, ''))
  }

  #remember(news: Partial<Leftover>): void {
    this.#leftover = { ...this.#leftover, ...news }
    this.#tellKeeper()
  }

  #tellKeeper(): void {
    const { service } = this.#inputs
    this.#keeper.tell({ service: { ...service, baseUrl: service.baseUrl.href }, leftover: this.#leftover, result: this.#result })
  }
}
