/** The tokens of a server that runs in the test's own process: the test's token, and no file. */
import type { TokenRegistry } from '../../packages/service/src/tokens/registry.ts'
import { acceptToken } from '../../packages/service/src/tokens/token.ts'
import { TEST_TOKEN } from './service.ts'

export function acceptTestToken(): TokenRegistry {
  const token = acceptToken(TEST_TOKEN)
  const refuse = async (): Promise<never> => {
    throw new Error('tokens are not changed in this test')
  }
  return {
    find: (secret) => (secret === TEST_TOKEN ? token : undefined),
    isEmpty: () => false,
    list: () => [token],
    add: refuse,
    remove: refuse,
  }
}
