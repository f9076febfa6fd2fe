/**
 * Which tokens are accepted now: those in the token file, and one that the operator gave at start.
 * The file is looked at on every request, so that a revoked token is refused from the next one on. Looking is one stat call,
 * made synchronously because the asynchronous one would wait behind the engine for a thread.
 */
import { timingSafeEqual } from 'node:crypto'
import { hashToken, type TokenRecord } from './token.ts'
import { readTokens, tokenFilePath, tokenFileState } from './token-file.ts'

export interface TokenRegistry {
  /**
   * @returns the token with this secret, if there is one
   * @throws Error when the token file has become unreadable: nobody is let in on the word of an older one
   */
  find(secret: string): TokenRecord | undefined
  isEmpty(): boolean
}

/** @throws Error when the token file is there and unreadable */
export function openTokenRegistry(dataDir: string, given?: TokenRecord): TokenRegistry {
  const path = tokenFilePath(dataDir)
  let state = ''
  let accepted: { record: TokenRecord; hash: Buffer }[] = []

  const refresh = () => {
    const now = tokenFileState(path)
    if (now === state) return
    const records = [...(given ? [given] : []), ...readTokens(path)]
    accepted = records.map((record) => ({ record, hash: Buffer.from(record.sha256, 'hex') }))
    state = now
  }
  refresh()
  return {
    find(secret) {
      refresh()
      const hash = hashToken(secret)
      let found: TokenRecord | undefined
      // Every token is compared, each in constant time, so that the time taken says nothing about any of them.
      for (const entry of accepted) if (timingSafeEqual(entry.hash, hash)) found = entry.record
      return found
    },
    isEmpty() {
      refresh()
      return accepted.length === 0
    },
  }
}
