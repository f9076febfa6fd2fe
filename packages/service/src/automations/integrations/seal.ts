/**
 * Seals the secrets of integrations (AES-256-GCM). A signature can only be checked by who has the secret itself, so a hash
 * will not do. The key is in `integrations.key` beside the sealed secrets, which protects against a copy of `integrations.json`
 * alone and against a look over the shoulder, not against a copy of the whole directory; a key that is given as
 * ANNOTATION_SERVICE_SEAL_KEY is kept elsewhere, and protects against that too.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeOwnerFile } from '../../files/owner-file.ts'

export const SEAL_KEY_VARIABLE = 'ANNOTATION_SERVICE_SEAL_KEY'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_PATTERN = /^[0-9a-f]{64}$/i
const FORM = 'v1'

export function sealKeyPath(dataDir: string): string {
  return join(dataDir, 'integrations.key')
}

/** @returns the key, if there is one; @throws Error, without the key, when it has another form */
export function readSealKey(dataDir: string): Buffer | undefined {
  const given = process.env[SEAL_KEY_VARIABLE]
  if (given) return parseKey(given, SEAL_KEY_VARIABLE)
  const path = sealKeyPath(dataDir)
  return existsSync(path) ? parseKey(readFileSync(path, 'utf8').trim(), path) : undefined
}

/** @throws Error when there is none: what was sealed with it cannot be read, and nothing may be sealed with another beside it */
export function requireSealKey(dataDir: string): Buffer {
  const key = readSealKey(dataDir)
  if (key) return key
  throw new Error(
    `there are integrations, and the key to their secrets is gone: ${sealKeyPath(dataDir)}, or ${SEAL_KEY_VARIABLE} where it was given so`,
  )
}

/** @returns the key, made and stored if there was none; to be called by one process at a time, and where nothing is sealed yet */
export function ensureSealKey(dataDir: string): Buffer {
  const key = readSealKey(dataDir)
  if (key) return key
  const made = randomBytes(KEY_BYTES)
  writeOwnerFile(sealKeyPath(dataDir), `${made.toString('hex')}\n`)
  return made
}

/** @param owner whose secret it is; sealed in, so that a sealed secret cannot be moved to another owner */
export function seal(secret: string, key: Buffer, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [FORM, keyMark(key), nonce.toString('base64url'), text.toString('base64url')].join('.')
}

/** @throws Error, without secret and key, when another key sealed it or when it was changed */
export function unseal(sealed: string, key: Buffer, owner: string): string {
  const [form, mark, nonce = '', text = ''] = sealed.split('.')
  if (form !== FORM) throw new Error(`the secret of ${owner} is sealed in a form that this program does not know`)
  if (mark !== keyMark(key)) throw new Error(`the secret of ${owner} was sealed with another key than the present one`)
  const bytes = Buffer.from(text, 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw new Error(`the sealed secret of ${owner} was changed since it was written`, { cause })
  }
}

/** Tells keys apart in messages; of a random key of 256 bits it gives nothing away. */
function keyMark(key: Buffer): string {
  return createHash('sha256').update('seal key').update(key).digest('hex').slice(0, 8)
}

function parseKey(text: string, where: string): Buffer {
  if (!KEY_PATTERN.test(text)) throw new Error(`${where} must hold 64 hexadecimal digits, as openssl rand -hex 32 prints them`)
  return Buffer.from(text, 'hex')
}
