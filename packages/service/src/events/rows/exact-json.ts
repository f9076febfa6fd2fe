/**
 * JSON.parse with numbers that JSON.stringify prints again as they were; the language's types do not know these yet.
 */
export function parseExact(text: string): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  const keepText = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value
  return JSON.parse(text, keepText as (key: string, value: unknown) => unknown)
}
