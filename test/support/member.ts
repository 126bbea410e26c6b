import type { freshStack } from './stack.ts';

/** Somebody who has signed in and accepted the terms, with an organization of their own. */
export async function newMember(stack: ReturnType<typeof freshStack>, email: string) {
  const { token, user } = await stack.signIn(email);
  await stack.call('POST /api/user/accept-terms', { token });
  const [home] = (await stack.call('GET /api/organizations', { token })).body;
  return { token, email, id: user.id, home: home as { id: number; name: string } };
}

export type Person = Awaited<ReturnType<typeof newMember>>;
