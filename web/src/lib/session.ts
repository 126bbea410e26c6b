import { createContext, useContext } from 'react';
import type { User } from '#shared/user.ts';
import { clearStored, readStored } from './storage.ts';

/** Keys of localStorage that signing out keeps. */
const KEPT = ['sidebarCollapsed', 'theme', 'membersPageSize', 'membersColumns'];

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

export const UserContext = createContext<User | undefined>(undefined);

export function useUser(): User {
  const user = useContext(UserContext);
  if (!user) throw new Error('useUser() is called outside of the routes that need a session.');
  return user;
}

/** The absolute URL of `?redirect=`; undefined unless it is a page of this origin other than /login. */
export function safeRedirect(redirect: string | null, origin: string): string | undefined {
  if (!redirect?.startsWith('/') || !URL.canParse(redirect, origin)) return undefined;
  // Parsed like the browser does: `//host`, `/\host` and paths with tabs have another origin.
  const url = new URL(redirect, origin);
  if (url.origin !== origin || /^\/login(\.html)?\/?$/i.test(url.pathname)) return undefined;
  return url.href;
}
