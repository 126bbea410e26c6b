import { createContext, useContext } from 'react';
import type { User } from '../../../shared/user.ts';

export const UserContext = createContext<User | undefined>(undefined);

/** Who is signed in; for pages that nobody else gets to see. */
export function useUser(): User {
  const user = useContext(UserContext);
  if (!user) throw new Error('This page is for signed-in users, and stands outside of their routes.');
  return user;
}
