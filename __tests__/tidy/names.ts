/**
 * Which names a file exports, and which names of our other files it uses, from its syntax tree.
 * Deliberately not here: whether an export should be there.
 */
import { read, resolve, type SyntaxNode, treeOf, walk } from './tree.ts'

type Text = { readonly value: string }
interface Specifier extends SyntaxNode {
  readonly local?: Text
  readonly imported?: Text | null
  readonly orig?: Text
  readonly exported?: Text | null
}
/** One of the names in `const { a, b: c } = …`; what `...rest` takes has none. */
interface Property {
  readonly key?: Text
}

/** The names that a file exports itself; what it passes on from other files is not among them. */
export function exportsOf(file: string): string[] {
  return treeOf(file).module.body.flatMap((item) => {
    if (item.type === 'ExportDeclaration') {
      const { declaration } = item
      if (declaration.type === 'VariableDeclaration')
        return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.value] : []))
      const name = 'identifier' in declaration ? declaration.identifier : declaration.id
      return 'value' in name ? [String(name.value)] : []
    }
    if (item.type !== 'ExportNamedDeclaration' || item.source) return []
    return (item.specifiers as unknown as Specifier[]).flatMap(({ orig, exported }) => (exported ?? orig)?.value ?? [])
  })
}

/** The names of other files of ours that a file uses, as `file:name`; `file:*` where it takes them all. */
export function usesOf(file: string): string[] {
  const found: string[] = []
  const use = (source: unknown, names: readonly string[]) => {
    const target = resolve(file, (source as Text).value)
    if (target) found.push(...names.map((name) => `${target}:${name}`))
  }
  const { module } = treeOf(file)
  for (const node of module.body as unknown as SyntaxNode[]) {
    if (node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source))
      use(node.source, (node.specifiers as Specifier[]).map(nameIn))
    if (node.type === 'ExportAllDeclaration') use(node.source, ['*'])
  }
  // Lazy imports and types of imports may stand anywhere; most files have none.
  if (!read(file).includes('import(')) return found
  const taken = new Map<unknown, readonly string[]>()
  walk(module, (node) => {
    if (node.type === 'TsImportType') use(node.argument, ['*'])
    const { id, init, object, property } = node as Partial<Record<string, SyntaxNode>>
    if (id?.type === 'ObjectPattern')
      taken.set(
        lazyImportIn(init),
        (id.properties as Property[]).map(({ key }) => key?.value ?? '*'),
      )
    if (node.type === 'MemberExpression') taken.set(lazyImportIn(object), [String(property?.value ?? '*')])
    if (node !== lazyImportIn(node)) return
    const { expression } = (node.arguments as { expression: SyntaxNode }[])[0] as { expression: SyntaxNode }
    if (expression.type === 'StringLiteral') use(expression, taken.get(node) ?? ['*'])
  })
  return found
}

/** The import in `import(…)`, `await import(…)` and `(await import(…))`. */
function lazyImportIn(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node?.type === 'AwaitExpression') return lazyImportIn(node.argument as SyntaxNode)
  if (node?.type === 'ParenthesisExpression') return lazyImportIn(node.expression as SyntaxNode)
  return node?.type === 'CallExpression' && (node.callee as SyntaxNode).type === 'Import' ? node : undefined
}

/** The name as the other file exports it. */
function nameIn({ type, imported, local, orig }: Specifier): string {
  if (type === 'ImportNamespaceSpecifier' || type === 'ExportNamespaceSpecifier') return '*'
  return (imported ?? orig ?? local)?.value ?? '*'
}
