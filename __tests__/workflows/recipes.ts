/**
 * The recipes of docs/recipes/ as a user copies them: the files that their code blocks name in the first line.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface RecipeFile {
  /** The page's name without its ending. */
  recipe: string
  /** Where a user puts it. */
  path: string
  text: string
}

export const recipeFiles: readonly RecipeFile[] = globSync('docs/recipes/*.md')
  .sort()
  .flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/```yaml\n# (\.github\/\S+)\n([\s\S]*?)```/g)].map(([, path = '', text = '']) => ({
      recipe: basename(page, '.md'),
      path,
      text,
    })),
  )

export function filesOf(recipe: string): Record<string, string> {
  return Object.fromEntries(recipeFiles.filter((file) => file.recipe === recipe).map(({ path, text }) => [path, text]))
}
