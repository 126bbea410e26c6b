import { beforeEach } from 'vitest';
import * as invitations from '#core/organization/invitation.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import type { AssignableRole } from '#shared/organization.ts';
import { actingIn, newMember, newUser, postbox } from './people.ts';

export const START = new Date('2026-03-01T09:00:00Z');
export const HOUR = 60 * 60;
export const DAY = 24 * HOUR;
export const later = (seconds: number) => new Date(START.getTime() + seconds * 1000);

type User = Awaited<ReturnType<typeof newUser>>;
type Mail = { email?: string; now?: Date; on?: Table; by?: User; to?: number; role?: AssignableRole };

export function inviting(table: Table) {
  const people = {} as { owner: User; guest: User; post: ReturnType<typeof postbox> };

  beforeEach(async () => {
    people.post = postbox();
    people.owner = await newUser(table, START);
    people.guest = await newUser(table, START);
  });

  const at = (now: Date) => ({ table, now });
  const acting = (by = people.owner, to = people.owner.organizationId) => actingIn(table, by.id, to);

  return {
    people,
    at,
    send: async ({ email = people.guest.email, now = START, on = table, by, to, role = 'USER' }: Mail = {}) =>
      invitations.send(
        {
          table: on,
          now,
          mailer: people.post.mailer,
          linkTo: secret => `https://letterflow.example/i/${secret}`,
        },
        await acting(by, to),
        { email, role },
      ),
    cancel: async (id: string, of = people.owner.organizationId) =>
      invitations.cancel(at(START), invitations.found(id, await getAll(table, invitations.keysOf(of, id)))),
    pending: async (now = START, on = table) => invitations.pendingOf({ table: on, now }, await acting()),
    /** The secret in the link of the latest email, or of an earlier one. */
    mailedSecret: (index = people.post.mails.length - 1) =>
      /\/i\/([\w-]{43})/.exec(people.post.mails[index]?.letter.text ?? '')?.[1] ?? '',
    newAdmin: () => newMember(table, START, people.owner.organizationId, 'ADMIN'),
  };
}
