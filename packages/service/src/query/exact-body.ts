/**
 * Request bodies of queries: JSON whose integers beyond 2^53 arrive as bigint, and printing them again as they were.
 */
import { ServiceError } from '../errors.ts'

/** @throws ServiceError `malformed` */
export function parseExact(bytes: Buffer): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return parse(text, (_key, value, { source }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
        ? BigInt(source)
        : value,
    )
  } catch (cause) {
    const reason =
      cause instanceof SyntaxError
        ? cause.message
        : cause instanceof RangeError
          ? 'it is nested too deeply'
          : 'it is not valid UTF-8'
    throw new ServiceError('malformed', `the body is not JSON: ${reason}`, { cause })
  }
}

export function stringifyExact(value: unknown): string {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? rawJSON(String(item)) : item)) ?? 'null'
}
