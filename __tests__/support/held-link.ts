/**
 * A link on loopback to a server, as a network that fails in silence: nothing is refused and nothing closed, and bytes do not arrive.
 */
import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** `held`: no bytes pass. `muted`: what is asked arrives and is done, and nobody hears the answer. */
type LinkState = 'open' | 'held' | 'muted'

export interface HeldLink extends AsyncDisposable {
  readonly port: number
  set(state: LinkState): void
  /** Resets all connections, with what has not arrived. */
  cut(): void
}

/** @param target a port of 127.0.0.1 */
export async function startHeldLink(target: number): Promise<HeldLink> {
  const pairs = new Set<{ near: Socket; far: Socket }>()
  let state: LinkState = 'open'
  const apply = ({ near, far }: { near: Socket; far: Socket }) => {
    if (state === 'held') near.pause()
    else near.resume()
    if (state === 'open') far.resume()
    else far.pause()
  }
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const pair = { near, far }
    pairs.add(pair)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => near.write(bytes))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined)
      one.on('end', () => other.end())
      one.on('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
    }
    apply(pair)
  })
  const listening = await listen(server)
  const cut = () => {
    for (const { near, far } of pairs) for (const one of [near, far]) one.resetAndDestroy()
  }
  return {
    port: listening.port,
    set(next) {
      state = next
      for (const pair of pairs) apply(pair)
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      await listening[Symbol.asyncDispose]()
    },
  }
}
