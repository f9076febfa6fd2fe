/** Closes a span that an earlier process opened, or was about to open: for `close`, `run`, and the keeper that outlives `run`. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { finish, type Leftover } from '@deployment-annotations/inputs/close'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { callOptions, connect } from './connect.ts'

interface Closing {
  service: ServiceInputs
  result: string
  tell: (line: string) => void
}

/** @returns the closed span; `undefined` if the request that was to create it had no effect */
export async function closeLeftover(leftover: Leftover, { service, result, tell }: Closing): Promise<Annotation | undefined> {
  await using client = connect(service)
  const caller = { annotations: client.annotations, options: callOptions(), tell }
  // Awaited here: the client is closed when this function ends.
  return await finish(caller, leftover, result)
}
