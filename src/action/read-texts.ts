/** Reads the texts of inputs from the environment. */
import { core } from './toolkit.ts'

/**
 * Masks tokens before anything else happens, as they were given and without the whitespace and quotes around them. The service's token
 * is returned as it was given, so that those can be reported.
 * @param otherToken another name of the token's input
 * @returns the text of each input, or its default
 */
export function readTexts<T extends string>(defaults: Readonly<Record<T, string>>, otherToken?: string): Record<T, string> {
  const options = { trimWhitespace: false }
  const token = core.getInput('token', options) || (otherToken === undefined ? '' : core.getInput(otherToken, options))
  const others = ['githubToken', 'sourceToken'].map((name) => core.getInput(name, options))
  // The password of `user:password` is a secret by itself.
  const secrets = [token, ...others, ...others.map((secret) => secret.split(':')[1] ?? '')].flatMap((secret) => [
    secret,
    secret.trim(),
    secret.replace(/^[\s"'`]+|(?<![\s"'`])[\s"'`]+$/g, ''),
  ])
  for (const secret of new Set(secrets)) if (secret.trim() !== '') core.setSecret(secret)
  const texts = (Object.keys(defaults) as T[]).map((name) => [name, core.getInput(name) || defaults[name]])
  return { ...(Object.fromEntries(texts) as Record<T, string>), token }
}
