import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { IDLE_CHECK_MS, session, useSession } from '../api/session.js';
import { Setup } from '../features/sign-in/Setup.js';
import { Confirm, SignIn, SignInAgain } from '../features/sign-in/SignIn.js';
import { Notices } from '../ui/notify.js';
import { Failed } from '../ui/States.js';
import { router } from './router.js';
import { queries } from './services.js';
import { Skeleton } from './Skeleton.js';
import { theme } from './theme.js';
import { t } from '../i18n/i18n.js';

/** The console. It asks for sign-in first and then shows the requested page. */
export function App() {
  return (
    // the provider would write its variables and classes as <style> elements, which the content security policy refuses
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <Gate />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Gate() {
  const state = useSession();
  const isCleared = state.kind === 'signed-out' || (state.kind === 'ended' && state.isIdle);
  useEffect(() => {
    if (!isCleared) return;
    queries.clear();
    // a bottle's page names the medication there
    document.title = t('Sign in · Pillwatch');
  }, [isCleared]);
  useEffect(watchIdle, []);
  switch (state.kind) {
    case 'loading':
      return <Skeleton />;
    case 'unreachable':
      return <Failed error={state.error} retry={() => void session.load()} />;
    case 'signed-out':
      return <SignIn />;
    case 'signed-in':
    case 'ended':
      if (state.kind === 'signed-in' && state.required[0]) return <Setup first={state.required[0]} />;
      return (
        <>
          {!isCleared && <RouterProvider router={router} />}
          {state.kind === 'ended' && <SignInAgain staff={state.staff} isIdle={state.isIdle} />}
          {state.kind === 'signed-in' && state.isConfirming && <Confirm staff={state.staff} />}
        </>
      );
  }
}

/** Also when the machine wakes up, before anything else is shown. */
function watchIdle(): () => void {
  const check = (): void => void session.checkIdle();
  const timer = setInterval(check, IDLE_CHECK_MS);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}
