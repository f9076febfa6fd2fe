/**
 * Where events are kept, as the parts of the service that do not write or read them see it.
 */
export interface Store {
  /** Rejects when the store cannot be read. */
  check(): Promise<void>
  /** Waits for what is under way, then closes; nothing may be asked of the store afterwards. */
  close(): Promise<void>
}
