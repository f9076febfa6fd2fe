/**
 * Writes databases of addresses in MaxMind's format, so that tests have one with networks of their choice.
 * Deliberately not here: networks within others, and every type of value that no database of places has.
 */

export interface Place {
  prefix: string
  record: object
}

const RECORD_BITS = 28
const SEPARATOR_BYTES = 16
/** Before the metadata, which a reader looks for from the end. */
const METADATA_MARK = Buffer.concat([Buffer.of(0xab, 0xcd, 0xef), Buffer.from(`MaxMind.com`)])

/** @param places their networks, none within another */
export function writeMmdb(places: readonly Place[]): Buffer {
  const data: Buffer[] = []
  const offsets = new Map<object, number>()
  let size = 0
  const offsetOf = (record: object): number => {
    const known = offsets.get(record)
    if (known !== undefined) return known
    const bytes = encode(record)
    offsets.set(record, size)
    data.push(bytes)
    size += bytes.length
    return size - bytes.length
  }
  // A child is a node, nothing (0, which is the root), or a record as a negative number.
  const nodes: [number, number][] = [[0, 0]]
  for (const { prefix, record } of places) {
    const bits = bitsOf(prefix)
    let at = 0
    for (const bit of bits.slice(0, -1)) {
      const [node, side] = [nodes[at] as [number, number], Number(bit) as 0 | 1]
      if (node[side] === 0) node[side] = nodes.push([0, 0]) - 1
      at = node[side]
    }
    ;(nodes[at] as [number, number])[Number(bits.at(-1)) as 0 | 1] = -1 - offsetOf(record)
  }
  const pointerOf = (child: number) =>
    child > 0 ? child : child === 0 ? nodes.length : nodes.length + SEPARATOR_BYTES - 1 - child
  const tree = Buffer.alloc((nodes.length * RECORD_BITS) / 4)
  for (const [at, children] of nodes.entries()) {
    const [left, right] = children.map(pointerOf) as [number, number]
    tree.writeUIntBE(left & 0xff_ff_ff, at * 7, 3)
    tree[at * 7 + 3] = ((left >>> 24) << 4) | (right >>> 24)
    tree.writeUIntBE(right & 0xff_ff_ff, at * 7 + 4, 3)
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_767_225_600,
    database_type: 'Test-City',
    description: { en: 'Places of a test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: RECORD_BITS,
  })
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...data, METADATA_MARK, metadata])
}

/** The bits of a network; one of IPv4 is the first 32 bits behind 96 zeros. */
function bitsOf(prefix: string): string {
  const [address = '', length] = prefix.split('/')
  if (!address.includes(':')) {
    const bits = address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
    return '0'.repeat(96) + bits.join('').slice(0, Number(length))
  }
  const [head = '', tail = ''] = address.split('::').map((side) =>
    side
      .split(':')
      .filter(Boolean)
      .map((part) => part.padStart(4, '0'))
      .join(''),
  )
  const digits = head + '0'.repeat(32 - head.length - tail.length) + tail
  return [...digits]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
    .slice(0, Number(length))
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const isCount = Number.isInteger(value) && value >= 0
    const bytes = Buffer.alloc(isCount ? 4 : 8)
    if (isCount) bytes.writeUInt32BE(value)
    else bytes.writeDoubleBE(value)
    return Buffer.concat([control(isCount ? 6 : 3, bytes.length), bytes])
  }
  // The type of a list does not fit the first byte.
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 4]), ...value.map(encode)])
  const members = Object.entries(value as object)
  return Buffer.concat([control(7, members.length), ...members.flatMap(([key, one]) => [encode(key), encode(one)])])
}

function control(type: number, size: number): Buffer {
  if (size < 29) return Buffer.from([(type << 5) | size])
  return Buffer.from([(type << 5) | 29, size - 29])
}
