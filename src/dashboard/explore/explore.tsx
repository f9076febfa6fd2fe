/** The page of charts: events over time with the annotations on them. */
export function Explore() {
  return <h1>Explore</h1>
}
