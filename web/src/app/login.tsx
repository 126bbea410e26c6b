import { hydrateRoot } from 'react-dom/client';
import { Login } from '../features/login/login.tsx';
import { paths } from '../lib/paths.ts';
import { safeRedirect } from '../lib/redirect.ts';
import { signIn, token } from '../lib/session.ts';

const wanted = safeRedirect(new URLSearchParams(location.search).get('redirect'), location.origin);

function arriveSignedIn() {
  if (token()) location.replace(wanted ?? paths.home());
}

arriveSignedIn();
addEventListener('storage', arriveSignedIn);
addEventListener('pageshow', arriveSignedIn);

const root = document.getElementById('root');
if (root) {
  hydrateRoot(
    root,
    <Login
      onSignedIn={newToken => {
        signIn(newToken);
        location.replace(wanted ?? paths.profile());
      }}
    />,
  );
}
