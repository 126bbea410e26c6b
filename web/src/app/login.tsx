import { hydrateRoot } from 'react-dom/client';
import { PRODUCT } from '#shared/brand.ts';
import { Login } from '../features/login/login.tsx';
import { paths } from '../lib/paths.ts';
import { Problem } from '../lib/problem.ts';
import { safeRedirect, token } from '../lib/session.ts';
import { writeStored } from '../lib/storage.ts';

const BLOCKED = `This browser does not let ${PRODUCT} store anything, so you cannot be signed in. Allow it in its settings and try again.`;

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
        if (!writeStored('token', newToken)) throw new Problem(BLOCKED);
        location.replace(redirect ?? paths.profile());
      }}
    />,
  );
}
