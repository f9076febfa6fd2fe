/** Opens annotations in their panel. */
import { navigate } from '../address/navigation.ts'

/** @param ids of the annotations; none closes the panel */
export function select(ids: readonly string[]): void {
  navigate({ annotations: ids })
}
