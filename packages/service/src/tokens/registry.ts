/**
 * Which tokens are accepted now: those in the token file, and one that the operator gave at start. Makes and revokes them too.
 * The file is looked at on every request, so that a revoked token is refused from the next one on. Looking is one stat call,
 * made synchronously because the asynchronous one would wait behind the engine for a thread.
 */
import { timingSafeEqual } from 'node:crypto'
import { quoted, ServiceError } from '../errors.ts'
import { hashToken, type TokenRecord } from './token.ts'
import { readTokens, tokenFilePath, tokenFileState, updateTokens } from './token-file.ts'

export interface TokenRegistry {
  /**
   * @returns the token with this secret, if there is one
   * @throws Error when the token file has become unreadable: no request is let in because an older one allowed it
   */
  find(secret: string): TokenRecord | undefined
  isEmpty(): boolean
  /** @returns the tokens, that of the operator first, then in the order in which they were made */
  list(): TokenRecord[]
  /**
   * Stores a token.
   * @param by whose request it is
   * @throws ServiceError `unauthorized` when that token was revoked meanwhile; `storage_full`
   */
  add(record: TokenRecord, by: TokenRecord): Promise<void>
  /**
   * Revokes a token, which may be the one whose request it is.
   * @throws ServiceError as `add`; `not_found`; `not_removable` for the operator's, which is not stored
   */
  remove(id: string, by: TokenRecord): Promise<void>
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

  /** A request may take long to arrive: no new token is made with one that was revoked while its body was held back. */
  const change = async (by: TokenRecord, next: (tokens: TokenRecord[]) => TokenRecord[]) => {
    try {
      await updateTokens(path, (tokens) => {
        if (by.id !== given?.id && !tokens.some(({ id }) => id === by.id)) throw revokedMeanwhile(by)
        return next(tokens)
      })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause
      throw new ServiceError('storage_full', 'the disk is full; the tokens are unchanged', { cause })
    }
  }
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
    list() {
      refresh()
      return accepted.map(({ record }) => record)
    },
    add: (record, by) => change(by, (tokens) => [...tokens, record]),
    async remove(id, by) {
      if (id === given?.id) {
        throw new ServiceError(
          'not_removable',
          `token ${id} was given at start and is not stored; it goes away when the service is started without it`,
        )
      }
      await change(by, (tokens) => {
        const kept = tokens.filter((record) => record.id !== id)
        if (kept.length === tokens.length) throw new ServiceError('not_found', `there is no token ${quoted(id)}`)
        return kept
      })
    },
  }
}

function revokedMeanwhile({ id }: TokenRecord): ServiceError {
  return new ServiceError('unauthorized', `token ${id} was revoked while the request was under way`, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
}
