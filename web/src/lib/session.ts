import { clearStored, readStored } from './storage.ts';

/** Keys of localStorage that signing out keeps. */
const KEPT = ['sidebarCollapsed', 'membersPageSize', 'membersColumns'];

export const token = () => readStored('token');

/** Clears the storage and loads another document, so that no data of the user stays in memory. */
export function clearSession(url: string) {
  clearStored(KEPT);
  clearStored([], 'session');
  location.replace(url);
}

/** Reacts when another tab signs in or out, and when the back/forward cache restores a page after signing out. */
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
