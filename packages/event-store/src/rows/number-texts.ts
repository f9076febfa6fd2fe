/**
 * Parses JSON and keeps every number as its text: `1.0` must stay a float, which the contract's reader of exact integers does not
 * preserve. JSON.stringify prints such numbers unchanged; TypeScript's types do not know them yet.
 */

export function parseWithTexts(text: string): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  const keepText = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value
  return (JSON.parse as (text: string, reviver: typeof keepText) => unknown)(text, keepText)
}
