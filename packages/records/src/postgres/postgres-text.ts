/**
 * Stores any text in PostgreSQL, whose texts cannot have the character 0. That character and the one that stands for it are escaped as
 * two. This applies to every value in both directions, so that no other module needs to know; most texts have neither and stay as they
 * are.
 */
import { OperationNodeTransformer, type PrimitiveValueListNode, type ValueNode } from 'kysely'

const MARK = '\u0001'
const WRITTEN: Readonly<Record<string, string>> = { '\0': `${MARK}0`, [MARK]: `${MARK}1` }
const READ: Readonly<Record<string, string>> = { [`${MARK}0`]: '\0', [`${MARK}1`]: MARK }

function encodeText(text: string): string {
  return text.replace(/[\0\u0001]/g, (char) => WRITTEN[char] as string)
}

export function decodeText(text: string): string {
  return text.includes(MARK) ? text.replace(/\u0001[01]/g, (pair) => READ[pair] as string) : text
}

/** A Kysely plugin that encodes the texts among the values of every statement. */
export class EncodedTexts extends OperationNodeTransformer {
  transformQuery({ node }: { node: Parameters<OperationNodeTransformer['transformNode']>[0] }) {
    return this.transformNode(node) as never
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result
  }

  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: encoded(node.value) }
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(encoded) }
  }
}

function encoded(value: unknown): unknown {
  return typeof value === 'string' ? encodeText(value) : value
}
