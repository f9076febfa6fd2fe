/**
 * Which tokens are accepted now: those in the records, and one that the operator gave at start. Makes and revokes them too.
 * They are in memory, and read again when their version has moved, which is looked at before each request: a revoked token is
 * refused from the next one on, whichever service revoked it.
 */
import { timingSafeEqual } from 'node:crypto'
import type { RecordCache } from '@deployment-annotations/records/database/record-caches'
import type { Records, RecordsDatabase } from '@deployment-annotations/records/database/records'
import { raiseVersion } from '@deployment-annotations/records/database/versions'
import {
  deleteToken,
  findToken,
  insertToken,
  listTokens,
  setTokenExpiry,
  type TokenRecord,
} from '@deployment-annotations/records/tokens/token-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { requireFound } from '../wire/require-found.ts'
import { isVisible, requireCovered } from './delegation.ts'
import { hasExpired, hashToken } from './token.ts'

interface AcceptedToken {
  record: TokenRecord
  hash: Buffer
}

export class TokenRegistry implements RecordCache {
  readonly kind = 'tokens'
  readonly #records: Records
  readonly #given: TokenRecord | undefined
  #accepted: readonly AcceptedToken[] = []
  /** Tokens by the secrets that came, so that each is hashed once. */
  readonly #known = new Map<string, TokenRecord>()

  /** @param given the operator's token; until the first {@link load}, it is the only one */
  constructor(records: Records, given?: TokenRecord) {
    this.#records = records
    this.#given = given
    this.#accept([])
  }

  async load(): Promise<void> {
    this.#accept(await listTokens(this.#records.read))
  }

  #accept(stored: readonly TokenRecord[]): void {
    const records = [...(this.#given ? [this.#given] : []), ...stored]
    this.#known.clear()
    this.#accepted = records.map((record) => ({ record, hash: Buffer.from(record.sha256, 'hex') }))
  }

  /** @returns the token with this secret, if there is one */
  find(secret: string): TokenRecord | undefined {
    let found = this.#known.get(secret)
    if (found) return found
    const hash = hashToken(secret)
    // Every token is compared, each in constant time, so that the time taken says nothing about any of them.
    for (const entry of this.#accepted) if (timingSafeEqual(entry.hash, hash)) found = entry.record
    if (found) this.#known.set(secret, found)
    return found
  }

  isEmpty(): boolean {
    return this.#accepted.length === 0
  }

  /** @returns those that the token may know of: that of the operator first, then in the order in which they were made */
  list(by: TokenRecord): TokenRecord[] {
    return this.#accepted.map(({ record }) => record).filter((record) => isVisible(record, by))
  }

  /** @throws ServiceError `not_found` */
  get(id: string, by: TokenRecord): TokenRecord {
    const record = this.list(by).find((one) => one.id === id)
    return requireFound(record, 'token', id)
  }

  /**
   * Stores a token.
   * @param by whose request it is
   * @throws ServiceError `unauthorized` when that token was revoked or expired meanwhile; `forbidden`; errors of the records
   */
  async add(record: TokenRecord, by: TokenRecord): Promise<void> {
    requireCovered(record, by)
    await this.#change(by, (db) => insertToken(db, record))
  }

  /**
   * Revokes a token, which may be the one whose request it is.
   * @throws ServiceError as `add`; `not_found`; `not_removable` for the operator's, which is not stored
   */
  async remove(id: string, by: TokenRecord): Promise<void> {
    this.#requireStored(id, 'goes away when the service is started without it')
    await this.#change(by, async (db) => {
      await requireVisible(db, id, by)
      await deleteToken(db, id)
    })
  }

  /**
   * Stores a token in the place of another, which expires, and is the same until then.
   * @param successor of the token as it is
   * @param expiresAtMs of the one that is there, unless it expires earlier
   * @throws ServiceError as `remove`
   */
  async replace(
    id: string,
    { successor, expiresAtMs }: { successor: (token: TokenRecord) => TokenRecord; expiresAtMs: number },
    by: TokenRecord,
  ): Promise<TokenRecord> {
    this.#requireStored(id, 'gets another secret when the service is started with one')
    return this.#change(by, async (db) => {
      const token = await requireVisible(db, id, by)
      const made = successor(token)
      requireCovered(made, by)
      await setTokenExpiry(db, id, Math.min(expiresAtMs, token.expiresAtMs ?? expiresAtMs))
      await insertToken(db, made)
      return made
    })
  }

  #requireStored(id: string, remedy: string): void {
    if (id !== this.#given?.id) return
    throw new ServiceError('not_removable', `token ${id} was given at start and is not stored; it ${remedy}`)
  }

  /** A request may take long to arrive: no new token is made with one that was revoked while its body was held back. */
  async #change<T>(by: TokenRecord, work: (db: RecordsDatabase) => Promise<T>): Promise<T> {
    return this.#records.transaction(async (db) => {
      await raiseVersion(db, 'tokens')
      if (by.id !== this.#given?.id) {
        const stored = await findToken(db, by.id)
        if (!stored || hasExpired(stored, this.#records.now())) throw revokedMeanwhile(by)
      }
      return work(db)
    })
  }
}

async function requireVisible(db: RecordsDatabase, id: string, by: TokenRecord): Promise<TokenRecord> {
  const token = await findToken(db, id)
  return requireFound(token && isVisible(token, by) && token, 'token', id)
}

function revokedMeanwhile({ id }: TokenRecord): ServiceError {
  return new ServiceError('unauthorized', `token ${id} was revoked while the request was under way`, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
}
