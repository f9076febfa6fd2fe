/** A port of 127.0.0.1 that nobody listens on at this moment, for servers that cannot choose one themselves. */
import { createServer } from 'node:net'
import { listen } from './listen.ts'

export async function freePort(): Promise<number> {
  await using probe = await listen(createServer())
  return probe.port
}
