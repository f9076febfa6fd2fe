/**
 * Turns of the event loop: work that blocks it for some milliseconds runs in parts, or one piece in each turn, so that quick requests are
 * answered in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Gate, type GateRequest } from './gate.ts'

/** How many turns in a row go to the requests of another gate: half a second of a crowd. */
const GIVES_WAY_TURNS_MAX = 25

/**
 * Waits for a turn of the event loop at a gate whose slots are turns, so that work that blocks the loop for some milliseconds does not
 * run a hundred times in a row, and quick requests are answered in between. A gate that gives way to another leaves turns to it while
 * requests wait there, so that refusals of a crowd come in time.
 * @throws ServiceError as `acquire` does
 */
export async function takeTurn(gate: Gate, request?: GateRequest): Promise<void> {
  const permit = await gate.acquire(request)
  let turns = 0
  const end = () => {
    const isLeft = gate.givesWayTo && gate.givesWayTo.waiting.size > 0 && turns++ < GIVES_WAY_TURNS_MAX
    if (!isLeft) return permit.release()
    setImmediate(end)
  }
  setImmediate(end)
}

/** How long one piece of work may block the event loop, in milliseconds. */
const SLICE_MS = 8
/**
 * Long works that go on, a few in each turn: what comes meanwhile waits for those, and not for one slice of each. With one in a turn, a
 * crowd of queries takes half as long again.
 */
const SLICES = new Gate({ what: 'slices', slots: 4, waitingMax: Number.POSITIVE_INFINITY })

/**
 * Called between the parts of long work: yields the event loop to other requests if the slice is over.
 * @param from when the slice began, by `performance.now()`
 * @param caller whose work it is; callers take turns
 * @returns when the present slice began
 */
export async function endSlice(from: number, caller = ''): Promise<number> {
  if (performance.now() - from <= SLICE_MS) return from
  await nextTurn()
  await takeTurn(SLICES, { caller })
  return performance.now()
}
