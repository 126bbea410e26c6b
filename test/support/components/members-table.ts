import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { ListMember } from '#shared/list-member.ts';
import type { Answers } from './api.ts';
import { profile } from './examples.ts';
import { fakeMembers, pageOf } from './members.ts';
import { field, textsOf } from './page.ts';
import { open } from './render.tsx';

export const MEMBERS = 'GET /api/email-lists/{list}/members';

/** The page of a list, whose members can be changed. `asked` is what the table has asked for. */
export function openList(members: ListMember[], search = '', answers: Answers = {}) {
  const asked: URLSearchParams[] = [];
  const fake = fakeMembers(members);
  const answering: Answers = {
    ...fake.answers,
    [MEMBERS]: ({ query }) => {
      asked.push(query);
      return pageOf([...fake.stored.values()], query);
    },
    ...profile,
    ...answers,
  };
  const opened = open(`/email-lists/l1${search}`, answering);
  const showsFrom = (from: number, to: number) =>
    expect.poll(names).toEqual(members.slice(from, to).map(({ id }) => id));
  const lastAsked = () => ['page', 'cursor'].map(name => asked.at(-1)?.get(name));
  const address = () => opened.router.state.location.search;
  return { ...fake, ...opened, asked, answering, showsFrom, lastAsked, address };
}

export const names = () => textsOf('tbody a').map(text => text?.split('@')[0]);

/** The bar below the table, about the members that are selected. */
export const bar = () => page.getByRole('region', { name: 'Selected members' });
export const select = (name: string) => field(`Select ${name}@example.com`).click();
