/** Chooses the colour of a type of annotations, among those that can be told apart. */

import { chooseColour, paletteColour, slotOf, styleOf } from '../address/type-colours.ts'
import { closeMenu, Menu } from '../parts/menu.tsx'

const NAMES: readonly string[] = [
  'amber',
  'green',
  'red',
  'grey',
  'cyan',
  'magenta',
  'olive',
  'blue',
  'violet',
  'pink',
  'teal',
  'brown',
]

export function ColourPicker({ type }: { type: string }) {
  return (
    <Menu
      summary={
        <>
          <span class="swatch" style={styleOf(type)} />
          <span class="visually-hidden">Colour of {type}</span>
        </>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div class="card colours" role="group" aria-label={`Colours for ${type}`}>
        {NAMES.map((name, slot) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={slotOf(type) === slot}
            style={{ background: paletteColour(slot) }}
            onClick={({ currentTarget }) => {
              chooseColour(type, slot)
              closeMenu(currentTarget)
            }}
          />
        ))}
      </div>
    </Menu>
  )
}
