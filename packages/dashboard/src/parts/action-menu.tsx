/** The menu of what can be done to one of several, which its label names: `Actions on web`. */
import { Menu, MenuButton } from './menu.tsx'

export interface MenuAction {
  words: string
  isOffered: boolean
  isDangerous?: boolean
  act: () => void
}

/** @returns nothing if no action is offered */
export function ActionMenu({ of, actions }: { of: string; actions: readonly MenuAction[] }) {
  const offered = actions.filter(({ isOffered }) => isOffered)
  if (offered.length === 0) return null
  return (
    <Menu
      summary={
        <>
          <span aria-hidden="true">⋯</span>
          <span class="visually-hidden">Actions on {of}</span>
        </>
      }
    >
      <div class="card actions">
        {offered.map(({ words, isDangerous = false, act }) => (
          <MenuButton key={words} class={isDangerous ? 'quiet danger' : 'quiet'} onClick={act}>
            {words}
          </MenuButton>
        ))}
      </div>
    </Menu>
  )
}
