/**
 * Writes bytes in the engine's binary form, little-endian, into a buffer that grows. Buffers come from a pool and are reused, because
 * the garbage collector is slow to free memory outside of its heap.
 */

const CAPACITY_MIN = 512
/** Larger buffers are not pooled. */
const CAPACITY_POOLED_MAX = 8_388_608
/** The most bytes in the pool. */
const POOL_BYTES_MAX = 16_777_216

/** Memory, and the view by which numbers are written. */
interface Memory {
  bytes: Buffer
  view: DataView
}

/** Free memory by capacity, which is a power of two. */
const pool = new Map<number, Memory[]>()
let pooledBytes = 0

function acquire(bytes: number): Memory {
  let capacity = CAPACITY_MIN
  while (capacity < bytes) capacity *= 2
  const free = pool.get(capacity)?.pop()
  if (free) {
    pooledBytes -= capacity
    return free
  }
  const buffer = new ArrayBuffer(capacity)
  return { bytes: Buffer.from(buffer), view: new DataView(buffer) }
}

function release(memory: Memory): void {
  const { length } = memory.bytes
  if (length === 0 || length > CAPACITY_POOLED_MAX || pooledBytes + length > POOL_BYTES_MAX) return
  pooledBytes += length
  const free = pool.get(length)
  if (free) free.push(memory)
  else pool.set(length, [memory])
}

const EMPTY: Memory = { bytes: Buffer.alloc(0), view: new DataView(new ArrayBuffer(0)) }
const TWO_32 = 4_294_967_296
/** A shorter string is copied faster byte by byte than by a call. */
const COPIED_BY_HAND_MAX = 24

export class ByteWriter implements Disposable {
  #memory = EMPTY
  #bytes = EMPTY.bytes
  #view = EMPTY.view
  #at = 0

  get length(): number {
    return this.#at
  }

  /** The written bytes, valid until the next write or the disposal. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }

  /** Makes room for this many more bytes. */
  reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const larger = acquire(Math.max(this.#at + bytes, this.#bytes.length * 2))
    if (this.#at > 0) this.#bytes.copy(larger.bytes, 0, 0, this.#at)
    release(this.#memory)
    this.#hold(larger)
  }

  #hold(memory: Memory): void {
    this.#memory = memory
    this.#bytes = memory.bytes
    this.#view = memory.view
  }

  byte(value: number): void {
    if (this.#at === this.#bytes.length) this.reserve(1)
    this.#bytes[this.#at++] = value
  }

  /** Writes a byte repeatedly. */
  fill(value: number, count: number): void {
    this.reserve(count)
    this.#bytes.fill(value, this.#at, this.#at + count)
    this.#at += count
  }

  /** Writes seven bits per byte, the lowest first. */
  varUint(value: number): void {
    this.reserve(10)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#at++] = rest
  }

  /** @param value a safe integer */
  int64(value: number): void {
    this.reserve(8)
    const high = Math.floor(value / TWO_32)
    this.#view.setInt32(this.#at, value - high * TWO_32, true)
    this.#view.setInt32(this.#at + 4, high, true)
    this.#at += 8
  }

  /** @param value of 64 bits, signed or not */
  bigInt64(value: bigint): void {
    this.reserve(8)
    this.#view.setBigInt64(this.#at, value, true)
    this.#at += 8
  }

  float64(value: number): void {
    this.reserve(8)
    this.#view.setFloat64(this.#at, value, true)
    this.#at += 8
  }

  /** Copies the bytes from `from` to `to` of another buffer. */
  copy(source: Buffer, from: number, to: number): void {
    const length = to - from
    this.reserve(length)
    if (length > COPIED_BY_HAND_MAX) source.copy(this.#bytes, this.#at, from, to)
    else for (let i = 0; i < length; i++) this.#bytes[this.#at + i] = source[from + i] as number
    this.#at += length
  }

  /** Copies all bytes of another writer. */
  append(other: ByteWriter): void {
    this.copy(other.#bytes, 0, other.#at)
  }

  /** Writes a string: its length, and then the bytes from `from` to `to`. */
  string(source: Buffer, from: number, to: number): void {
    this.varUint(to - from)
    this.copy(source, from, to)
  }

  text(text: string): void {
    const bytes = Buffer.from(text)
    this.string(bytes, 0, bytes.length)
  }

  /** Replaces one byte value by another everywhere in the written bytes. */
  replace(value: number, by: number): void {
    for (let at = 0; at < this.#at; at++) if (this.#bytes[at] === value) this.#bytes[at] = by
  }

  /** Returns the memory to the pool. */
  [Symbol.dispose](): void {
    release(this.#memory)
    this.#hold(EMPTY)
    this.#at = 0
  }
}
