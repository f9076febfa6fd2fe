/**
 * Reads inputs that the runner has put into the environment.
 */
import { core } from './toolkit.ts'

/**
 * Tokens are masked before anything else is done with them, as they were given and without the whitespace and quotes around them. The
 * service's is kept as it was given, so that those can be reported.
 * @param otherToken another name that the token may be given by
 * @returns what was given for each input, or else its default
 */
export function readTexts<T extends string>(defaults: Readonly<Record<T, string>>, otherToken?: string): Record<T, string> {
  const options = { trimWhitespace: false }
  const token = core.getInput('token', options) || (otherToken === undefined ? '' : core.getInput(otherToken, options))
  const others = ['githubToken', 'sourceToken'].map((name) => core.getInput(name, options))
  // Of a user and a password the latter is secret by itself.
  const secrets = [token, ...others, ...others.map((secret) => secret.split(':')[1] ?? '')].flatMap((secret) => [
    secret,
    secret.trim(),
    secret.replace(/^[\s"'`]+|[\s"'`]+$/g, ''),
  ])
  for (const secret of new Set(secrets)) if (secret.trim() !== '') core.setSecret(secret)
  const texts = (Object.keys(defaults) as T[]).map((name) => [name, core.getInput(name) || defaults[name]])
  return { ...(Object.fromEntries(texts) as Record<T, string>), token }
}
