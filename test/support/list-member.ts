import type { Person } from './member.ts';
import type { freshStack } from './stack.ts';

export const LIST_FORM = {
  name: 'Readers',
  domain: 'example.com',
  sender_name: 'The editors',
  sender_address: 'letters@example.com',
};

let tokens = 0;

/** A list of somebody's organization, and the means of a program to fill it. */
export async function newList(stack: ReturnType<typeof freshStack>, person: Person, fields: object = {}) {
  const as = { token: person.token, organization: person.home.id };
  const { body } = await stack.call('POST /api/email-lists', { ...as, body: { ...LIST_FORM, ...fields } });
  const name = `fill_${++tokens}`;
  const { body: created } = await stack.call('POST /api/tokens', {
    token: person.token,
    body: { name, expiration: null },
  });
  stack.mustNotBeLogged(created.token);
  const id: string = body.id;
  return {
    id,
    apiToken: created.token as string,
    /** What a program sends in one call. */
    send: (members: unknown) =>
      stack.call('POST /api/v1/email-lists/{list}/members', {
        token: created.token,
        organization: person.home.id,
        params: { list: id },
        body: { members },
      }),
  };
}
