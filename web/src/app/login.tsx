import { hydrateRoot } from 'react-dom/client';
import { Login } from '../features/login/login.tsx';
import { paths } from '../lib/paths.ts';
import { safeRedirect } from '../lib/redirect.ts';
import { signIn, token } from '../lib/session.ts';

const redirect = safeRedirect(new URLSearchParams(location.search).get('redirect'), location.origin);

function leaveIfSignedIn() {
  if (token()) location.replace(redirect ?? paths.home());
}

leaveIfSignedIn();
addEventListener('storage', leaveIfSignedIn);
addEventListener('pageshow', leaveIfSignedIn);

const root = document.getElementById('root');
if (root) {
  hydrateRoot(
    root,
    <Login
      onSignedIn={newToken => {
        signIn(newToken);
        location.replace(redirect ?? paths.profile());
      }}
    />,
  );
}
