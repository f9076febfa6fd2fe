/**
 * JSON.parse with every number as the text it was: `1.0` has to stay a float, which the contract's reader of exact integers would
 * not keep. JSON.stringify prints such numbers as they were; the language's types do not know them yet.
 */

export function parseWithTexts(text: string): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  const keepText = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value
  return (JSON.parse as (text: string, reviver: typeof keepText) => unknown)(text, keepText)
}
