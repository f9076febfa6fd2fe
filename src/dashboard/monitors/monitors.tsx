/** The page of monitors. */
export function Monitors() {
  return <h1>Monitors</h1>
}
