import '@fontsource-variable/inter';
import './app/mantine.css';
import './app/tokens.css';
import './app/base.css';
import { createRoot } from 'react-dom/client';
import { session } from './api/session.js';
import { App } from './app/App.js';
import { router } from './app/router.js';
import { LANGUAGE } from './i18n/i18n.js';

document.documentElement.lang = LANGUAGE;
// fetch the session and the page's code in parallel
void session.load();
void router.load();

createRoot(document.getElementById('root')!).render(<App />);
