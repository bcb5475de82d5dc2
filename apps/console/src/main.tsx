import '@fontsource-variable/inter';
import './app/mantine.css';
import './app/tokens.css';
import './app/base.css';
import { createRoot } from 'react-dom/client';
import { session } from './api/session.js';
import { App } from './app/App.js';
import { LANGUAGE } from './i18n/i18n.js';

document.documentElement.lang = LANGUAGE;
// before the first page asks who is signed in
void session.load();

createRoot(document.getElementById('root')!).render(<App />);
