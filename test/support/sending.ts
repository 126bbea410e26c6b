import { randomBytes } from 'node:crypto';
import * as automations from '../../functions/core/automation/automation/automation.ts';
import * as emailTemplates from '../../functions/core/content/email-template/email-template.ts';
import { newId } from '../../functions/core/id.ts';
import * as list from '../../functions/core/list/list/list.ts';
import * as listMember from '../../functions/core/list/list-member/list-member.ts';
import type * as organization from '../../functions/core/organization/organization/organization.ts';
import * as delivery from '../../functions/core/sending/delivery/delivery.ts';
import type { Pack } from '../../functions/core/sending/pack/pack.ts';
import { sweep } from '../../functions/core/sending/sweep/sweep.ts';
import type { Table } from '../../functions/core/storage/table.store.ts';
import { NewAutomation } from '../../shared/automation.ts';
import { NewEmailTemplate } from '../../shared/email-template.ts';
import type { NewList } from '../../shared/list.ts';
import { template } from './content.ts';
import { createList, found } from './core-list.ts';
import { actingIn, newUser } from './people.ts';

/** Seals nothing: what is tested is not the encryption. */
export const openVault: list.Vault = {
  seal: async text => `sealed ${text}`,
  open: async sealed => sealed.slice('sealed '.length),
};

async function ownerOf(table: Table, now: Date): Promise<organization.Active> {
  const owner = await newUser(table, now);
  return actingIn(table, owner.id, owner.organizationId);
}

type Posted = { at: Date; access: list.Access; message: delivery.Message };

/** An organization that sends, with a clock, a queue and a provider of its own. */
export async function newSender(table: Table, start: Date, active?: organization.Active) {
  let now = start;
  const acting = active ?? (await ownerOf(table, now));
  const id = acting.organization.id;
  const queue: { pack: Pack; at: number; received: number }[] = [];
  const posts: Posted[] = [];
  let answers: delivery.Answer[] = [];
  const needs: delivery.Needs = {
    table,
    now: () => now,
    hasTime: () => true,
    post: async (access, message) => {
      posts.push({ at: now, access, message });
      return answers.shift() ?? { kind: 'accepted', id: randomBytes(6).toString('hex') };
    },
    vault: openVault,
    queue: async (pack, seconds) =>
      void queue.push({ pack, at: now.getTime() + seconds * 1000, received: 0 }),
    publicUrl: 'https://mail.example.com',
    trackingKey: async () => 'a key that signs',
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
    /** What the provider answers to the next calls; after those it accepts. */
    answers: (...next: delivery.Answer[]) => (answers = next),
    at: (time: Date) => (now = time),
    async newList({ key = true, ...fields }: { key?: boolean } & Partial<NewList> = {}) {
      const made = await createList(table, now, acting, { name: 'Readers', ...fields });
      if (key)
        await list.changeSendingKey({ table, vault: openVault }, made, { mailgun_sending_key: 'key-1' });
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
    async add(of: list.Found, email: string, metadata: Record<string, string> = {}) {
      return listMember.add({ table, now }, id, {
        email_list_id: of.id,
        email,
        is_subscribed: true,
        metadata,
      });
    },
    sweep: (on = table) =>
      sweep({
        table: on,
        now,
        hasTime: () => true,
        newId,
        queue: async packs => {
          for (const pack of packs) await needs.queue(pack, 0);
        },
        failed: (_, error) => {
          throw error;
        },
      }),
    /** Delivers what the queue shows now. */
    async deliverAll() {
      for (let next = due(); next; next = due()) {
        queue.splice(queue.indexOf(next), 1);
        await delivery.deliver(needs, next.pack, next.received > 0);
      }
    },
    /** Moves the clock minute by minute, sweeping and delivering. */
    async run(until: Date) {
      while (now < until) {
        now = new Date(Math.min(now.getTime() + 60_000, until.getTime()));
        await sender.sweep();
        await sender.deliverAll();
      }
    },
    mails: () =>
      posts.flatMap(({ at, message }) =>
        message.recipients.map(({ email, variables }) => ({ at, email, variables, message })),
      ),
  };
  const due = () => queue.find(({ at }) => at <= now.getTime());
  return sender;
}
