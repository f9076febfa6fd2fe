/** The entry point of the page. */
import './style.css'
import './tokens.css'
import { render } from 'preact'
import { App } from './app/app.tsx'

const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the app')
render(<App />, place)
