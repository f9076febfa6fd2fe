/**
 * Encrypts the secrets of integrations and notifiers (AES-256-GCM). Checking a signature takes the secret itself, so a hash will not do. The
 * key is in `encryption.key` in the data directory, which protects against a copy of the records alone and against a look over
 * the shoulder; with records in the same directory not against a copy of the whole directory. A key that is given as
 * ANNOTATION_SERVICE_ENCRYPTION_KEY is kept elsewhere, and protects against that too. There may be several keys, with commas between them,
 * while one takes the place of another.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnerFile, renameOwnerFile } from '@deployment-annotations/runtime/owner-file'

const KEY_VARIABLE = 'ANNOTATION_SERVICE_ENCRYPTION_KEY'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEYS_PATTERN = /^[0-9a-f]{64}(?:,[0-9a-f]{64})*$/i
const FORM = 'v1'

/** The key that secrets are encrypted with, and others that they may have been encrypted with before. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]]

function keyPath(dataDir: string): string {
  return join(dataDir, 'encryption.key')
}

/** Renames the file with the key of an earlier version, which is one step: a kill leaves the one name or the other. */
export function renameFormerKey(dataDir: string): void {
  const former = join(dataDir, 'integrations.key')
  if (existsSync(former) && !existsSync(keyPath(dataDir))) renameOwnerFile(former, keyPath(dataDir))
}

/** @returns the keys, if there are any; @throws Error, without the keys, when they have another form */
export function readEncryptionKeys(dataDir: string): EncryptionKeys | undefined {
  const given = process.env[KEY_VARIABLE]
  if (given) return parseKeys(given, KEY_VARIABLE)
  const path = keyPath(dataDir)
  return existsSync(path) ? parseKeys(readFileSync(path, 'utf8').trim(), path) : undefined
}

/** @throws Error when there is none: what was encrypted with it cannot be read, and nothing may be encrypted under another key beside it */
export function requireEncryptionKeys(dataDir: string): EncryptionKeys {
  const keys = readEncryptionKeys(dataDir)
  if (keys) return keys
  throw new Error(
    `there is no key for the secrets of integrations and notifiers, neither in ${KEY_VARIABLE} nor in ${keyPath(dataDir)}; set ${KEY_VARIABLE} ` +
      '(64 hexadecimal digits; where there are no integrations yet: openssl rand -hex 32) on all services, or copy the key file',
  )
}

/** @returns the keys, one made and stored if there was none; to be called where nothing is encrypted yet, and no other service needs it */
export function ensureEncryptionKeys(dataDir: string): EncryptionKeys {
  if (!readEncryptionKeys(dataDir)) makeOwnerFile(keyPath(dataDir), `${randomBytes(KEY_BYTES).toString('hex')}\n`)
  return requireEncryptionKeys(dataDir)
}

/** @param owner whose secret it is; authenticated too, so that an encrypted secret cannot be moved to another owner */
export function encrypt(secret: string, [key]: EncryptionKeys, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [FORM, fingerprint(key), nonce.toString('base64url'), text.toString('base64url')].join('.')
}

/** @throws Error, without secret and keys, when it was encrypted with another key, or changed */
export function decrypt(encrypted: string, keys: EncryptionKeys, owner: string): string {
  const [form, keyFingerprint, nonce = '', text = ''] = encrypted.split('.')
  if (form !== FORM) throw new Error(`the secret of ${owner} is encrypted in a form that this program does not know`)
  const key = keys.find((one) => fingerprint(one) === keyFingerprint)
  if (!key) throw new Error(`the secret of ${owner} was encrypted with a key other than the present one`)
  const bytes = Buffer.from(text, 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw new Error(`the encrypted secret of ${owner} has been changed since it was written`, { cause })
  }
}

/** Tells keys apart; it is stored with each secret, so it stays as it is. Of a random key of 256 bits it gives nothing away. */
function fingerprint(key: Buffer): string {
  return createHash('sha256').update('seal key').update(key).digest('hex').slice(0, 8)
}

function parseKeys(text: string, where: string): EncryptionKeys {
  if (!KEYS_PATTERN.test(text)) throw new Error(`${where} must hold 64 hexadecimal digits, as openssl rand -hex 32 prints them`)
  return text.split(',').map((one) => Buffer.from(one, 'hex')) as [Buffer, ...Buffer[]]
}
