/**
 * A tree back to text, one operator a line. Parsing the text gives an equal tree (but for places).
 * Deliberately not here: keeping the author's layout or comments.
 */
import type { Expression, Let, Operator, Pipeline, QueryTree, Source, Union } from '../../src/tree/ast.ts'
import { ExpressionPrinter } from './expression-printer.ts'
import { OPERATOR_PRINTERS, type OperatorPrinter } from './operator-printers.ts'

export function printQuery({ lets, pipeline }: QueryTree): string {
  const printer = new Printer()
  return [...lets.map((statement) => printer.let(statement)), printer.pipeline(pipeline)].join('\n')
}

class Printer extends ExpressionPrinter {
  let({ name, value, parameter }: Let): string {
    if (parameter !== undefined)
      return `declare query_parameters (${name}:${parameter} = ${this.expression(value as Expression)});`
    if (value.kind !== 'let-function') return `let ${name} = ${this.body(value)};`
    const parameters = this.list(
      value.parameters,
      (one) => `${one.name}:${one.type}${one.default ? ` = ${this.expression(one.default)}` : ''}`,
    )
    return `let ${name} = (${parameters}) { ${this.body(value.body)} };`
  }

  private body(value: Expression | Pipeline): string {
    return value.kind === 'pipeline' ? this.pipeline(value) : this.expression(value)
  }

  pipeline({ source, operators }: Pipeline): string {
    return [this.source(source), ...operators.map((operator) => `| ${this.operator(operator)}`)].join('\n')
  }

  branch(pipeline: Pipeline): string {
    const { source, operators } = pipeline
    return operators.length === 0 && source.kind === 'dataset' ? this.source(source) : `(${this.pipeline(pipeline)})`
  }

  members(members: readonly Pipeline[], { common, withSource }: Pick<Union, 'common' | 'withSource'>): string {
    const option = withSource === undefined ? '' : `withsource=${this.name(withSource)} `
    return `${common ? 'kind=inner ' : ''}${option}${this.list(members, ({ source, ...member }) => (source.kind === 'dataset-pattern' ? source.pattern : this.branch({ source, ...member })))}`
  }

  private source(source: Source): string {
    switch (source.kind) {
      case 'dataset':
        return source.held ? `table(${source.name})` : this.name(source.name)
      case 'print':
        return `print ${this.list(source.columns, (column) => this.named(column))}`
      case 'union-of':
        return `union ${this.members(source.members, source)}`
      case 'dataset-pattern':
        return source.pattern
      case 'datatable': {
        const columns = this.list(source.columns, ({ name, type }) => `${this.name(name)}${type ? `:${type}` : ''}`)
        return `datatable (${columns}) [${this.list(source.rows.flat(), (cell) => this.expression(cell))}]`
      }
      case 'call-of':
        return `${source.name}(${this.list(source.arguments, (argument) => this.expression(argument))})`
      case 'subquery':
        return `(${this.pipeline(source.pipeline)})`
      default:
        return source satisfies never
    }
  }

  private operator(operator: Operator): string {
    // The table guarantees that printer and operator belong together.
    const print = OPERATOR_PRINTERS[operator.kind] as OperatorPrinter<Operator>
    return print(operator, this).trimEnd()
  }
}
