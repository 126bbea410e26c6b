import { createContext, useContext } from 'react';
import type { User } from '#shared/user.ts';

export const UserContext = createContext<User | undefined>(undefined);

/** The signed-in user, on routes that need a session. */
export function useUser(): User {
  const user = useContext(UserContext);
  if (!user) throw new Error('useUser() is called outside of the routes that need a session.');
  return user;
}
