/**
 * What the step's bundle has in place of `node:crypto`, of which the toolkit needs one function, for the delimiters of its output
 * files: that module takes as long to load as a tenth of the step. The bytes are the kernel's either way.
 */
const { closeSync, openSync, readSync } = process.getBuiltinModule('node:fs')

const SOURCE = '/dev/urandom'

/** @returns 36 characters; 128 random bits, without the version that a UUID tells */
export function randomUUID() {
  if (process.platform === 'win32') return process.getBuiltinModule('node:crypto').randomUUID()
  const bytes = Buffer.alloc(16)
  const file = openSync(SOURCE, 'r')
  try {
    readSync(file, bytes)
  } finally {
    closeSync(file)
  }
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
