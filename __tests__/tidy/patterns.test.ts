/**
 * Regular expressions, those of schemas too: none takes more than linear time, whatever text it is given.
 * Deliberately not here: what is known only at run time, such as the layouts of times that people give.
 */
import { expect, test } from '@jest/globals'
import { analyse } from 'scslre'
import { sources, treeOf, walk } from './tree.ts'

/** Whichever node it is, with what that kind has. */
type Node = {
  readonly [member in Of | 'arguments' | 'expression' | 'expressions' | 'quasis' | 'cooked' | 'raw']: Node & Node[] & string
}
type Of = 'type' | 'value' | 'pattern' | 'flags' | 'id' | 'init' | 'key' | 'callee' | 'object' | 'template'

/** Constants by their names. */
const constants = new Map<string, string>()

/** Constant text; a letter stands for what is not constant. */
function textOf(node: Node, quasi: 'cooked' | 'raw' = 'cooked'): string {
  // The parser writes these escapes in a way of its own.
  if (node.type === 'StringLiteral' || node.type === 'NumericLiteral') return String(node.value).replaceAll('\\\\u', '\\u')
  if (node.type === 'RegExpLiteral') return node.pattern
  if (node.type === 'Identifier') return constants.get(node.value) ?? 'x'
  if (node.type === 'MemberExpression') return textOf(node.object)
  if (node.type === 'TaggedTemplateExpression') return textOf(node.template, 'raw')
  if (node.type !== 'TemplateLiteral') return 'x'
  return node.quasis.map((one, at) => one[quasi] + (node.expressions[at] ? textOf(node.expressions[at]) : '')).join('')
}

function findConstants(file: string): void {
  walk(treeOf(file).module, (node) => {
    const { type, id, init } = node as unknown as Node
    if (type === 'VariableDeclarator' && init) constants.set(id.value, textOf(init))
  })
}

function patternsOf(file: string): RegExp[] {
  // Those of this file go before others of the same name.
  findConstants(file)
  const found: RegExp[] = []
  walk(treeOf(file).module, (node) => {
    const { type, pattern, flags, callee, arguments: given, key, value } = node as unknown as Node
    if (type === 'RegExpLiteral') found.push(new RegExp(pattern, flags))
    if (type === 'NewExpression' && callee.value === 'RegExp')
      found.push(new RegExp(given[0] ? textOf(given[0].expression) : '', given[1] ? textOf(given[1].expression) : ''))
    if (type === 'KeyValueProperty' && key.value === 'pattern') found.push(new RegExp(textOf(value), 'u'))
  })
  return found
}

const isLinear = (pattern: RegExp) => analyse(pattern).reports.length === 0

test('no regular expression takes more than linear time', () => {
  for (const file of sources) findConstants(file)
  const found = sources.flatMap((file) => patternsOf(file).map((pattern) => ({ file, pattern })))
  expect(found.length).toBeGreaterThan(700)
  expect(found.filter(({ pattern }) => !isLinear(pattern)).map(({ file, pattern }) => `${file}: ${pattern}`)).toEqual([])
})

test.each([/datetime\(([^)]*?)\s*(?=\))/, /\{\{\s*([^{}]*?)\s*\}\}/, /^%%%\s*|\s*%%%$/, /\/+$/, /^(?:a+)+$/])(
  '%s, which takes more, is found',
  (pattern) => expect(isLinear(pattern)).toBe(false),
)
