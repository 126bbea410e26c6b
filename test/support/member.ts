import { newAddress } from './client.ts';
import type { Stack } from './stack.ts';

/** A user who has signed in, with an organization of their own; the name is the local part of their address. */
export async function newcomer(stack: Stack, name = 'person') {
  const email = newAddress(name);
  const { token, user } = await stack.signIn(email);
  const [home] = (await stack.call('GET /api/organizations', { token })).body;
  return { token, email, id: user.id, home: home as { id: number; name: string } };
}

/** The same, who has accepted the terms as well. */
export async function newMember(stack: Stack, name?: string) {
  const person = await newcomer(stack, name);
  await stack.call('POST /api/user/accept-terms', { token: person.token });
  return person;
}

export type Person = Awaited<ReturnType<typeof newcomer>>;
