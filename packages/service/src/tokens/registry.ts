/**
 * Which tokens are accepted now: those in the records, and one that the operator gave at start. Makes and revokes them too.
 * They are in memory, and read again when their version has moved, which is looked at before each request: a revoked token is
 * refused from the next one on, whichever service revoked it.
 */
import { timingSafeEqual } from 'node:crypto'
import { quoted, ServiceError } from '../errors.ts'
import type { Follower } from '../records/followers.ts'
import type { Records, RecordsDatabase } from '../records/records.ts'
import { deleteToken, hasToken, insertToken, listTokens, lockTokens, type TokenRecord } from '../records/token-records.ts'
import { hashToken } from './token.ts'

interface AcceptedToken {
  record: TokenRecord
  hash: Buffer
}

export class TokenRegistry implements Follower {
  readonly kind = 'tokens'
  readonly #records: Records
  readonly #given: TokenRecord | undefined
  #accepted: readonly AcceptedToken[] = []

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
    this.#accepted = records.map((record) => ({ record, hash: Buffer.from(record.sha256, 'hex') }))
  }

  /** @returns the token with this secret, if there is one */
  find(secret: string): TokenRecord | undefined {
    const hash = hashToken(secret)
    let found: TokenRecord | undefined
    // Every token is compared, each in constant time, so that the time taken says nothing about any of them.
    for (const entry of this.#accepted) if (timingSafeEqual(entry.hash, hash)) found = entry.record
    return found
  }

  isEmpty(): boolean {
    return this.#accepted.length === 0
  }

  /** @returns the tokens, that of the operator first, then in the order in which they were made */
  list(): TokenRecord[] {
    return this.#accepted.map(({ record }) => record)
  }

  /**
   * Stores a token.
   * @param by whose request it is
   * @throws ServiceError `unauthorized` when that token was revoked meanwhile; errors of the records
   */
  async add(record: TokenRecord, by: TokenRecord): Promise<void> {
    await this.#change(by, (db) => insertToken(db, record))
  }

  /**
   * Revokes a token, which may be the one whose request it is.
   * @throws ServiceError as `add`; `not_found`; `not_removable` for the operator's, which is not stored
   */
  async remove(id: string, by: TokenRecord): Promise<void> {
    if (id === this.#given?.id) {
      throw new ServiceError(
        'not_removable',
        `token ${id} was given at start and is not stored; it goes away when the service is started without it`,
      )
    }
    await this.#change(by, async (db) => {
      if (!(await deleteToken(db, id))) throw new ServiceError('not_found', `token ${quoted(id)} not found`)
    })
  }

  /** A request may take long to arrive: no new token is made with one that was revoked while its body was held back. */
  async #change(by: TokenRecord, work: (db: RecordsDatabase) => Promise<void>): Promise<void> {
    await this.#records.transaction(async (db) => {
      await lockTokens(db)
      if (by.id !== this.#given?.id && !(await hasToken(db, by.id))) throw revokedMeanwhile(by)
      await work(db)
    })
  }
}

function revokedMeanwhile({ id }: TokenRecord): ServiceError {
  return new ServiceError('unauthorized', `token ${id} was revoked while the request was under way`, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
}
