/** What stays in the browser after signing out. */
const KEPT = ['sidebarCollapsed', 'membersPageSize'];

export const token = () => localStorage.getItem('token');

export function signIn(newToken: string) {
  localStorage.setItem('token', newToken);
}

/** Forgets whoever was signed in, and everything of theirs in memory with a full load of the sign-in page. */
export function forget(goTo: string) {
  for (const key of Object.keys(localStorage)) if (!KEPT.includes(key)) localStorage.removeItem(key);
  sessionStorage.clear();
  location.replace(goTo);
}

/** Follows what another tab does, and a page that comes back from the history after signing out. */
export function followOtherTabs(loginPath: string) {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== 'token' && key !== null) return;
    if (newValue) location.reload();
    else location.replace(loginPath);
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !token()) location.replace(loginPath);
  });
}
