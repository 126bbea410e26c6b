import { randomBytes } from 'node:crypto';
import * as automations from '#core/automation/automation.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import { newId } from '#core/id.ts';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import type * as organization from '#core/organization/organization.ts';
import type { Access, Outcome, OutgoingEmail, Provider } from '#core/provider.ts';
import * as delivery from '#core/sending/delivery/delivery.ts';
import type * as needsStore from '#core/sending/delivery/release.ts';
import type { Pack } from '#core/sending/pack.ts';
import { sweepAll } from '#core/sending/sweep/sweep.ts';
import type { Table } from '#core/storage/table.store.ts';
import { NewAutomation } from '#shared/automation.ts';
import { rendered } from '#shared/email/email.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import type { NewList } from '#shared/list.ts';
import type { ProviderName } from '#shared/providers.ts';
import { template } from './content.ts';
import { createList, found } from './core-list.ts';
import { newOwner } from './people.ts';

export const UNKNOWN: Outcome = { kind: 'unknown' };
export const REFUSED: Outcome = { kind: 'refused' };
export const NOT_SENT = { kind: 'not_sent', reason: 'unreachable', seconds: 0 } as const;
export const throttled = (seconds: number): Outcome => ({ ...NOT_SENT, reason: 'throttled', seconds });

/** A vault without encryption, which is tested elsewhere. */
export const openVault: sendingKey.Vault = {
  seal: async text => `sealed ${text}`,
  open: async sealed => sealed.slice('sealed '.length),
};

type Answer = Outcome | Outcome[];

type Posted = { at: Date; provider: ProviderName; access: Access; emails: OutgoingEmail[] };

/** An organization that sends, with its own clock, queue and provider. */
export async function newSender(table: Table, start: Date, active?: organization.Active) {
  let now = start;
  const acting = active ?? (await newOwner(table, now));
  const id = acting.organization.id;
  const queue: { pack: Pack; at: number }[] = [];
  const posts: Posted[] = [];
  let answers: Answer[] = [];
  const postBy =
    (provider: ProviderName): Provider['post'] =>
    async (access, emails, mayContinue) => {
      if (!(await mayContinue())) return emails.map(() => ({ ...NOT_SENT, reason: 'interrupted' }));
      posts.push({ at: now, provider, access, emails });
      const answer = answers.shift() ?? { kind: 'accepted', provider_id: randomBytes(6).toString('hex') };
      const each = [answer].flat();
      return emails.map((_, at) => each[at] ?? each.at(-1) ?? UNKNOWN);
    };
  const needs: needsStore.Needs = {
    table,
    now: () => now,
    get holder() {
      return newId();
    },
    timeLeft: () => 60_000,
    providers: { mailgun: { post: postBy('mailgun') }, ses: { post: postBy('ses') } },
    vault: openVault,
    queue: async (pack, seconds) => void queue.push({ pack, at: now.getTime() + seconds * 1000 }),
    publicUrl: 'https://mail.example.com',
    trackingKey: async () => 'a key that signs',
    failed: (_, error) => {
      throw error;
    },
  };
  const sender = {
    organization: id,
    acting,
    needs,
    posts,
    queue,
    get now() {
      return now;
    },
    answers: (...next: Answer[]) => (answers = next),
    at: (time: Date) => (now = time),
    async newList({ key = true, ...fields }: { key?: boolean } & Partial<NewList> = {}) {
      const made = await createList(table, now, acting, { name: 'Readers', ...fields });
      if (key)
        await sendingKey.changeSendingKey({ table, now, vault: openVault }, made, {
          mailgun_sending_key: 'key-1',
        });
      return found(table, id, made.id);
    },
    newAutomation: (fields: object) =>
      automations.create({ table, now }, id, NewAutomation.parse({ name: 'welcome', ...fields })),
    newTemplate: (automation_ids: string[], fields: object = {}) =>
      emailTemplates.create(
        { table, now },
        acting,
        NewEmailTemplate.parse(template({ automation_ids, ...fields })),
      ),
    async add(of: list.CountedList, email: string, metadata: Record<string, string> = {}) {
      return listMember.add({ table, now }, id, {
        email_list_id: of.id,
        email,
        is_subscribed: true,
        metadata,
      });
    },
    sweep: (on = table) =>
      sweepAll({
        table: on,
        now,
        hasTimeLeft: () => true,
        queue: async packs => {
          for (const pack of packs) await needs.queue(pack, 0);
        },
        failed: (_, error) => {
          throw error;
        },
        tooOld: () => {},
        sweepOthers: async () => {},
      }),
    async deliverAll() {
      for (let next = due(); next; next = due()) {
        queue.splice(queue.indexOf(next), 1);
        await delivery.deliver(needs, next.pack);
      }
    },
    /** Moves the clock minute by minute, and sweeps and delivers in each. */
    async run(until: Date) {
      while (now < until) {
        now = new Date(Math.min(now.getTime() + 60_000, until.getTime()));
        await sender.sweep();
        await sender.deliverAll();
      }
    },
    mailedTo: () => posts.flatMap(({ emails }) => emails.map(({ to }) => to)).sort(),
    mails: () =>
      posts.flatMap(({ at, emails }) =>
        emails.map(email => ({
          at,
          email: email.to,
          ...rendered(email),
          headers: email.headers,
          id: email.id,
        })),
      ),
  };
  const due = () => queue.find(({ at }) => at <= now.getTime());
  return sender;
}
