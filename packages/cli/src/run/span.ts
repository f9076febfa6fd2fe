/** The span around a command. It opens while the command runs, without delaying it, and closes when the command has ended. */
import { ClientError } from '@deployment-annotations/client/errors'
import type { Leftover } from '@deployment-annotations/inputs/close'
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
  /** The result of the command; `ended` while it is unknown. */
  #result = 'ended'

  constructor(inputs: MarkInputs) {
    this.#inputs = inputs
    this.#leftover = { intent: inputs.intent, doubt: false }
    this.#opening = this.#open()
  }

  async #open(): Promise<void> {
    const { intent, service } = this.#inputs
    this.#tellKeeper()
    try {
      await using client = connect(service)
      const options = callOptions(() => this.#remember({ doubt: true }))
      const { stored, outcome, hints } = await createOrPut(client.annotations, intent, options)
      this.#remember({ id: stored.id })
      log(describe(outcome, stored, ' until the command ends'))
      reportHints(stored, hints)
    } catch (error) {
      const mayExist = error instanceof ClientError && error.mayHaveTakenEffect
      this.#remember({ doubt: mayExist, unsent: mayExist || isOutage(error) })
      warn(`${explain(error, 'create the annotation', COMMAND)} The command goes on.`)
    }
  }

  /**
   * @param result of the command
   * @returns the id of the span if it was closed
   */
  async close(result: string): Promise<string | undefined> {
    using _ = this.#keeper
    this.#result = result
    this.#tellKeeper()
    await this.#opening
    const { id, unsent = false } = this.#leftover
    // The service refused the span, so there is nothing to close and no reason to try again.
    if (id === undefined && !unsent) return undefined
    try {
      const closed = await closeLeftover(this.#leftover, { service: this.#inputs.service, result, tell: log })
      return closed?.id
    } catch (error) {
      warn(explain(error, 'close the release span', COMMAND))
      return undefined
    }
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
